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
    /**
     * 1 Mi source, 4 Mi text, 64 Mi steps (a few seconds), depth 300. The costliest of the known templates, whose work
     * grows with the square of the conversation, takes 47 million steps for a thousand messages; others take a tenth.
     */
    public static final TemplateLimits DEFAULT = new TemplateLimits(1 << 20, 4 << 20, 1 << 26, 300);

    /** Limits as given. @throws IllegalArgumentException where one is not positive */
    public TemplateLimits {
        if (source <= 0 || size <= 0 || steps <= 0 || depth <= 0) {
            throw new IllegalArgumentException("every limit must be positive: source " + source + ", size " + size
                + ", steps " + steps + ", depth " + depth);
        }
    }

    /** Most characters and elements of all values a render makes together: 32 of the largest. */
    public long made() {
        return 32L * size;
    }
}
