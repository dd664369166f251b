package poot.core.json;

/**
 * What a JSON document may ask for; a document beyond any of these is refused while it is read.
 *
 * @param bytes  length of the document, in bytes
 * @param depth  nested arrays and objects
 * @param tokens names, values, and opening and closing brackets together
 */
public record JsonLimits(long bytes, int depth, long tokens) {
    /** For configuration files: 4 MiB, 64 levels, 500 000 tokens. */
    public static final JsonLimits CONFIG = new JsonLimits(4L << 20, 64, 500_000);
    /** For tokenizer files: 256 MiB, 64 levels, 16 million tokens. */
    public static final JsonLimits TOKENIZER = new JsonLimits(256L << 20, 64, 16_000_000);
    /** For the index of a sharded checkpoint: 64 MiB, 8 levels, 4 million tokens. */
    public static final JsonLimits INDEX = new JsonLimits(64L << 20, 8, 4_000_000);

    public JsonLimits {
        if (bytes < 1 || depth < 1 || tokens < 1) {
            throw new IllegalArgumentException("limits must be positive: " + bytes + ", " + depth + ", " + tokens);
        }
    }
}
