package poot.core.text.template;

/**
 * What one template may use. A template comes with a checkpoint from anywhere and is treated as hostile.
 *
 * @param source longest source, in characters
 * @param size   longest rendered text, and longest text or list on the way, in characters or elements
 * @param steps  most work of one render: one per node evaluated, one per eight characters or elements handled
 * @param depth  deepest nesting of expressions, blocks, macro calls and values
 */
public record TemplateLimits(int source, int size, long steps, int depth) {
    /** Ample for every template and conversation seen: 1 Mi source, 8 Mi text, 10 million steps, depth 500. */
    public static final TemplateLimits DEFAULT = new TemplateLimits(1 << 20, 8 << 20, 10_000_000, 500);

    /** Limits as given. @throws IllegalArgumentException where one is not positive */
    public TemplateLimits {
        if (source <= 0 || size <= 0 || steps <= 0 || depth <= 0) {
            throw new IllegalArgumentException("every limit must be positive: source " + source + ", size " + size
                + ", steps " + steps + ", depth " + depth);
        }
    }
}
