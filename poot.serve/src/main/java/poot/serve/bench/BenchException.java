package poot.serve.bench;

/** A measurement cannot be made as asked; the message is for the person who asked. */
public final class BenchException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With what is wrong and what to do about it. */
    public BenchException(String message) {
        super(message);
    }
}
