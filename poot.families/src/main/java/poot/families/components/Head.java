package poot.families.components;

import poot.api.graph.Builder;
import poot.api.graph.TraceException;
import poot.api.graph.Value;

/**
 * Hidden states to logits.
 *
 * @param vocabulary number of token ids: V
 * @param tied       whether the embedding's weight is the head's
 * @param scale      multiplies the logits; 1 for none
 * @param softcap    c · tanh(logit / c); 0 for none
 */
public record Head(int vocabulary, boolean tied, float scale, float softcap) {
    /** Logits [.., V]. */
    public Value trace(Site at, Value x /* [.., E] */) throws TraceException {
        Builder b = at.b();
        Value logits = Linear.linear(at.in(tied ? "embedding" : "head"), x, vocabulary, false);   // [.., V]
        Value scaled = scale == 1 ? logits : b.mul(logits, scale);                                // [.., V]
        return softcap == 0 ? scaled : b.mul(b.tanh(b.div(scaled, b.scalar(softcap))), softcap);  // [.., V]
    }
}
