package poot.families.components;

import java.util.Objects;
import java.util.Optional;

/**
 * How one layer attends.
 *
 * @param heads       query heads, key/value heads, features of a head
 * @param projections how queries, keys and values come from the hidden state
 * @param qkNorm      a normalisation of queries and keys before positions enter
 * @param positions   how positions enter
 * @param scores      how scores are made
 */
public record AttentionParams(
        Heads heads, Projections projections, Optional<QkNorm> qkNorm, Positions positions, Scores scores) {
    public AttentionParams {
        Objects.requireNonNull(heads);
        Objects.requireNonNull(projections);
        Objects.requireNonNull(qkNorm);
        Objects.requireNonNull(positions);
        Objects.requireNonNull(scores);
    }

    /**
     * Head counts: query heads H, a multiple of the key/value heads G, each of D features.
     */
    public record Heads(int query, int groups, int dim) {
        public Heads {
            if (query < 1 || groups < 1 || query % groups != 0 || dim < 1) {
                throw new IllegalArgumentException(query + " heads over " + groups + " groups of " + dim);
            }
        }

        /** Features of all query heads: H·D. */
        public int queryWidth() {
            return query * dim;
        }

        /** Features of all key heads: G·D. */
        public int keyWidth() {
            return groups * dim;
        }
    }

    /** Where the rows of queries, keys and values lie. */
    public enum Layout {
        /** Three weights: {@code query} [H·D, E], {@code key} and {@code value} [G·D, E]. */
        SEPARATE,
        /** One weight {@code query_key_value} [G·(H/G + 2)·D, E]: each group's queries, its key, its value. */
        BY_GROUP
    }

    /**
     * The linear layers around attention.
     *
     * @param inputBias  biases on queries, keys and values
     * @param outputBias a bias on the output
     * @param clip       queries, keys and values are clamped to ±clip; 0 for none
     */
    public record Projections(Layout layout, boolean inputBias, boolean outputBias, float clip) {
        public Projections {
            Objects.requireNonNull(layout);
        }
    }

    /** What a query/key norm takes together. */
    public enum Span { HEAD, PROJECTION }

    /** A normalisation of queries and keys, of each head or of the whole projection. */
    public record QkNorm(Norm norm, Span span) {
        public QkNorm {
            Objects.requireNonNull(norm);
            Objects.requireNonNull(span);
        }
    }

    /** How positions enter attention. */
    public sealed interface Positions {
        /** They do not. */
        record None() implements Positions {}

        /** Queries and keys are rotated. */
        record Rotated(Rotary rotary) implements Positions {
            public Rotated {
                Objects.requireNonNull(rotary);
            }
        }

        /** Scores fall linearly with distance, each head by its slope (Press et al. 2021). */
        record Alibi(float maxBias) implements Positions {}
    }

    /**
     * From products to weights.
     *
     * @param scale   multiplies q·k
     * @param softcap c · tanh(score / c); 0 for none
     * @param window  positions seen, the own included; 0 for all
     */
    public record Scores(float scale, float softcap, int window) {}

    /** The usual attention: separate projections without bias, scores over √D, no positions. */
    public static AttentionParams of(int heads, int groups, int dim) {
        return new AttentionParams(new Heads(heads, groups, dim), new Projections(Layout.SEPARATE, false, false, 0),
                Optional.empty(), new Positions.None(), new Scores((float) (1 / Math.sqrt(dim)), 0, 0));
    }

    /** With biases on the inputs and on the output. */
    public AttentionParams withBias(boolean input, boolean output) {
        return with(new Projections(projections.layout, input, output, projections.clip));
    }

    /** With one fused projection, rows by group. */
    public AttentionParams fusedByGroup() {
        return with(new Projections(Layout.BY_GROUP, projections.inputBias, projections.outputBias, projections.clip));
    }

    /** With queries, keys and values clamped. */
    public AttentionParams withClip(float clip) {
        return with(new Projections(projections.layout, projections.inputBias, projections.outputBias, clip));
    }

    private AttentionParams with(Projections p) {
        return new AttentionParams(heads, p, qkNorm, positions, scores);
    }

    /** With queries and keys normalised. */
    public AttentionParams withQkNorm(Norm norm, Span span) {
        return new AttentionParams(heads, projections, Optional.of(new QkNorm(norm, span)), positions, scores);
    }

    /** With positions entering so. */
    public AttentionParams withPositions(Positions p) {
        return new AttentionParams(heads, projections, qkNorm, p, scores);
    }

    /** With queries and keys rotated. */
    public AttentionParams withRotary(Rotary r) {
        return withPositions(new Positions.Rotated(r));
    }

    /** With another factor on q·k. */
    public AttentionParams withScale(double scale) {
        return new AttentionParams(heads, projections, qkNorm, positions, new Scores((float) scale, scores.softcap, scores.window));
    }

    /** With scores capped. */
    public AttentionParams withSoftcap(double cap) {
        return new AttentionParams(heads, projections, qkNorm, positions, new Scores(scores.scale, (float) cap, scores.window));
    }

    /** With a sliding window; 0 for none. */
    public AttentionParams withWindow(int window) {
        return new AttentionParams(heads, projections, qkNorm, positions, new Scores(scores.scale, scores.softcap, window));
    }
}
