package poot.backend.cpu.ffi;

/** The system does not run code that is made at run time; the message says why. */
public final class CodeRefused extends Exception {
    private static final long serialVersionUID = 1;

    CodeRefused(String message) {
        super(message);
    }

    CodeRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
