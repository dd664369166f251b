package poot.families.components;

import java.util.Objects;
import java.util.Optional;
import poot.api.graph.Builder;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Shape;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.StepInput;

/**
 * Token ids to hidden states.
 *
 * @param vocabulary number of token ids: V
 * @param hidden     hidden features: E
 * @param scale      multiplies the embedding; 1 for none
 * @param norm       a normalisation of the embedding
 */
public record Embedding(int vocabulary, int hidden, float scale, Optional<Norm> norm) {
    public Embedding {
        Objects.requireNonNull(norm);
    }

    /** The step's tokens as hidden states [R, T, E]; an id outside the vocabulary fails the step's validation. */
    public Value trace(Site at) throws TraceException {
        Builder b = at.b();
        Value ids = at.input(StepInput.TOKENS);                                       // [R, T]
        bounded(at, "token id", ids, vocabulary);
        Value x = b.gather(at.in("embedding").weight(vocabulary, hidden), ids);       // [R, T, E]
        Value scaled = scale == 1 ? x : b.mul(x, scale);                              // [R, T, E]
        return norm.isPresent() ? norm.get().apply(at.in("embedding_norm"), scaled) : scaled;
    }

    /** Declares that every id of a row lies in [0, n). */
    public static void bounded(Site at, String what, Value ids /* I32 [R, T] */, int n) throws TraceException {
        Builder b = at.b();
        Value low = b.compare(CompareKind.GE, b.reduce(ReduceKind.MIN, ids, 1), b.scalar(0));  // [R, 1]
        Value high = b.compare(CompareKind.LT, b.reduce(ReduceKind.MAX, ids, 1), b.scalar(n)); // [R, 1]
        b.validate(what + " in [0, " + n + ")", b.reshape(b.and(low, high), at.rows()));       // [R]
    }

    /** The row of each sequence's last real token: [R, E]. */
    public static Value last(Site at, Value x /* [R, T, E] */) throws TraceException {
        Builder b = at.b();
        int width = x.shape().dim(-1);
        Value flat = b.reshape(x, at.rows() * at.tokens(), width);                    // [R·T, E]
        Value begin = b.mul(b.iota(Shape.of(at.rows()), 0), b.scalar(at.tokens()));   // [R]
        return b.gather(flat, b.add(begin, at.input(StepInput.LAST)));                // [R, E]
    }
}
