package poot.core.kernel.generate.attention;

import java.util.Locale;
import java.util.Objects;
import poot.api.graph.Composite;

/**
 * What attention computes, but for how many rows and tokens.
 *
 * @param heads query heads H
 * @param groups heads G of keys and values, a divisor of H
 * @param width features D of a query and a key
 * @param valueWidth features Dv of a value
 * @param form how keys and values lie in memory
 * @param view which keys a query sees
 * @param scale multiplies q·k
 * @param softcap c · tanh(score / c); 0 for none
 * @param alibi whether each head has a slope
 * @param sinks whether each head has a sink
 */
public record AttentionSpec(int heads, int groups, int width, int valueWidth, CacheForm form, View view, float scale,
        float softcap, boolean alibi, boolean sinks) {
    /** Features that share a scale. */
    static final int CODED_TOGETHER = 32;

    public AttentionSpec {
        Objects.requireNonNull(form, "form");
        Objects.requireNonNull(view, "view");
        if (groups < 1 || heads < 1 || heads % groups != 0 || width < 1 || valueWidth < 1) {
            throw new IllegalArgumentException(heads + " heads of " + width + " features over " + groups + " groups of " + valueWidth
                    + ": give a multiple of the groups, and features");
        }
        if (form == CacheForm.CODED && (width % CODED_TOGETHER != 0 || valueWidth % CODED_TOGETHER != 0)) {
            throw new IllegalArgumentException("codes of " + width + " and " + valueWidth + " features: use multiples of " + CODED_TOGETHER);
        }
    }

    /** Which keys a query sees. */
    public sealed interface View permits Cached, Whole {}

    /**
     * Those up to its own position, through a table of blocks.
     *
     * @param block positions of a block
     * @param window positions seen, the own included; 0 for all
     */
    public record Cached(int block, int window) implements View {
        public Cached {
            if (block < 1 || window < 0) {
                throw new IllegalArgumentException("blocks of " + block + " positions, a window of " + window + ": use at least 1 and 0");
            }
        }
    }

    /** All real tokens of its row. */
    public record Whole() implements View {}

    /**
     * Attention over a cache.
     *
     * @param form how the operands k and v lie in memory
     */
    public static AttentionSpec of(Composite.Attention a, int heads, int groups, int width, int valueWidth, CacheForm form) {
        if (a.coded() != (form == CacheForm.CODED)) {
            throw new IllegalArgumentException(a + " over " + form + ": both coded, or neither");
        }
        return new AttentionSpec(heads, groups, width, valueWidth, form, new Cached(a.block(), a.window()), a.scale(), a.softcap(),
                a.alibi(), a.sinks());
    }

    /** Attention inside one pass. */
    public static AttentionSpec of(Composite.FullAttention a, int heads, int groups, int width, int valueWidth) {
        return new AttentionSpec(heads, groups, width, valueWidth, CacheForm.F32, new Whole(), a.scale(), 0, false, false);
    }

    /** Query heads that read one group. */
    public int each() {
        return heads / groups;
    }

    /** Whether keys and values have scales. */
    public boolean coded() {
        return form == CacheForm.CODED;
    }

    /** As part of a kernel's name. */
    String label() {
        return width + (valueWidth == width ? "" : "_" + valueWidth) + "_" + form.name().toLowerCase(Locale.ROOT);
    }
}
