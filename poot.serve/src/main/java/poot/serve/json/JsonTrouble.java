package poot.serve.json;

/** Bytes that are no JSON, or more of it than is read; the message says what and where. */
public final class JsonTrouble extends Exception {
    private static final long serialVersionUID = 1L;

    JsonTrouble(String message, Throwable cause) {
        super(message, cause);
    }
}
