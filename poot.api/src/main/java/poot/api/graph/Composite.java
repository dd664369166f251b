package poot.api.graph;

import java.util.Locale;

/**
 * The intents a component can keep beside its primitives. Operands and results are listed with their shapes; each
 * body is the definition. R rows (sequences), T tokens, D features, H query heads, G key/value heads.
 */
public sealed interface Composite {
    /** The field's name for it, for printing. */
    String name();

    /** x [.., D], w [D]: x / sqrt(mean(x²) + eps) · (w + offset). */
    record RmsNorm(float eps, float offset) implements Composite {
        @Override
        public String name() {
            return "rms_norm";
        }
    }

    /** x [.., D], w [D], and b [D] if biased: (x - mean) / sqrt(var + eps) · w + b; the variance is the mean square. */
    record LayerNorm(float eps, boolean biased) implements Composite {
        @Override
        public String name() {
            return "layer_norm";
        }
    }

    /**
     * Rotary position embedding: x [R, T, H, D], positions I32 [R, T], frequencies [rotary/2] in radians per
     * position. The first {@code rotary} features turn by position · frequency, scaled by {@code scale}; pair i is
     * (i, i + rotary/2), or (2i, 2i + 1) when interleaved. The rest pass through.
     */
    record Rope(int rotary, boolean interleaved, float scale) implements Composite {
        @Override
        public String name() {
            return "rope";
        }
    }

    /**
     * Attention of q over cached keys and values: softmax(softcap(scale · q·kᵀ) + bias) · v, accumulated in F32.
     *
     * <p>Operands: q [R, T, H, D]; k [S, G, D] and v [S, G, Dv], the slots of the cache after this step's write,
     * F32, F16 or BF16; table I32 [R, B], the block of {@code block} slots that holds positions j·block … of row r
     * (negative: no block); positions I32 [R, T] (negative: a padding token, whose result is zero); then, if {@code coded},
     * scales F16 [S, G, D/32] of k and [S, G, Dv/32] of v, which are I32 words of four signed 8-bit codes, the first in the
     * lowest byte, [S, G, D/4] and [S, G, Dv/4]: a feature is its code times the scale of its 32; then slopes
     * F32 [H] if {@code alibi}; then sinks F32 [H] if {@code sinks}. Result [R, T, H, Dv]. Position j is seen from
     * position p when j ≤ p and, for a window w &gt; 0, j &gt; p - w. Head h reads group h / (H/G). ALiBi adds
     * slope · (j - p). A sink joins the softmax's denominator only. A softcap c &gt; 0 is c · tanh(score / c).
     */
    record Attention(int block, float scale, float softcap, int window, boolean coded, boolean alibi, boolean sinks) implements Composite {
        @Override
        public String name() {
            return "attention";
        }
    }

    /**
     * Bidirectional attention inside one pass: q [R, T, H, D], k [R, T, G, D], v [R, T, G, Dv], real BOOL [R, T].
     * Every query sees every real position; the result of a padding token is unspecified but finite. [R, T, H, Dv].
     */
    record FullAttention(float scale) implements Composite {
        @Override
        public String name() {
            return "full_attention";
        }
    }

    /** gate [.., F], up [.., F]: activation(gate) · up. */
    record Gated(Activation activation) implements Composite {
        @Override
        public String name() {
            return "gated_" + activation.name().toLowerCase(Locale.ROOT);
        }
    }

    /** x [..]: activation(x). */
    record Activate(Activation activation) implements Composite {
        @Override
        public String name() {
            return activation.name().toLowerCase(Locale.ROOT);
        }
    }

    /** Pointwise nonlinearities. */
    enum Activation {
        /** x / (1 + e^-x). */
        SILU,
        /** x/2 · (1 + erf(x/√2)). */
        GELU_ERF,
        /** x/2 · (1 + tanh(√(2/π) · (x + 0.044715x³))). */
        GELU_TANH,
        /** max(x, 0). */
        RELU
    }
}
