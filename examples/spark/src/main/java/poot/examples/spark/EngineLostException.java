package poot.examples.spark;

/**
 * The engine of this JVM ended before a partition was answered; the message says why. It fails the task, which Spark then
 * tries again, elsewhere or with a new engine. Unchecked, for Spark takes a partition's results from an {@code Iterator}.
 */
final class EngineLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EngineLostException(String message, Throwable cause) {
        super(message, cause);
    }

    EngineLostException(String message) {
        super(message);
    }
}
