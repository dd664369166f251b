package poot.serve.command;

/** A command cannot do what its options ask; the message is for the person who typed them. */
final class CommandFailure extends Exception {
    private static final long serialVersionUID = 1L;

    CommandFailure(String message) {
        super(message);
    }

    CommandFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
