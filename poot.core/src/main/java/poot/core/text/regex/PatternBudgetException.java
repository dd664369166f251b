package poot.core.text.regex;

/** A pattern needs more work or memory on a text than a scan may spend; the pattern is hostile or the text too long. */
public final class PatternBudgetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String pattern;
    private final int length;

    PatternBudgetException(String pattern, int length) {
        super("pattern \"" + pattern + "\" exceeds its work budget on a text of " + length
                + " UTF-16 units; shorten the text or use a tokenizer with a simpler pattern");
        this.pattern = pattern;
        this.length = length;
    }

    /** The pattern at fault. */
    public String pattern() {
        return pattern;
    }

    /** The length of the text, in UTF-16 units. */
    public int length() {
        return length;
    }
}
