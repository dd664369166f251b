package poot.examples.spark;

/** A line is no prompt; the message says why. */
final class PromptLineException extends Exception {
    private static final long serialVersionUID = 1L;

    PromptLineException(String message) {
        super(message);
    }

    PromptLineException(String message, Throwable cause) {
        super(message, cause);
    }
}
