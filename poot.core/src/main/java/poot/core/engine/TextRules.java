package poot.core.engine;

import java.util.Objects;

/**
 * How tokens become text.
 *
 * @param skipSpecial whether tokens that are marks and no part of the language are left out
 * @param stops       strings that end the reply
 * @param includeStop whether the stop string that ended it is part of the text
 */
public record TextRules(boolean skipSpecial, StopStrings stops, boolean includeStop) {
    /** Marks left out, no stop strings. */
    public static final TextRules PLAIN = new TextRules(true, StopStrings.NONE, false);

    public TextRules {
        Objects.requireNonNull(stops);
    }

    /** With marks written out, or left out. */
    public TextRules withSkipSpecial(boolean skip) {
        return new TextRules(skip, stops, includeStop);
    }

    /** With these stop strings, cut from the text. */
    public TextRules withStops(StopStrings s) {
        return new TextRules(skipSpecial, s, includeStop);
    }

    /** With the stop string kept in the text, or cut. */
    public TextRules withIncludeStop(boolean include) {
        return new TextRules(skipSpecial, stops, include);
    }
}
