package poot.families.components;

import poot.api.graph.TraceException;
import poot.api.graph.Value;

/** The linear layer. Weights are stored [out, in]. */
public final class Linear {
    private Linear() {}

    /** y[.., n] = Σ_k x[.., k] · w[n, k], plus bias[n] if {@code biased}; accumulates in F32. */
    public static Value linear(Site at, Value x /* [.., K] */, int out, boolean biased) throws TraceException {
        Value y = at.b().matMulTransposed(x, at.weight(out, x.shape().dim(-1)));     // [.., N]
        return biased ? at.b().add(y, at.bias(out)) : y;                              // [.., N]
    }
}
