package poot.serve.load;

/** Load that cannot be made, in words for the person who asked for it. */
public final class LoadException extends Exception {
    private static final long serialVersionUID = 1L;

    public LoadException(String message) {
        super(message);
    }
}
