package poot.families.components;

import java.util.List;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.StepInput;

/** Attention of an encoder: every token sees every real token of its row. */
public final class FullAttention {
    private FullAttention() {}

    /** Projects, attends in both directions and projects back: [R, T, E] to [R, T, E]. */
    public static Value trace(Site at, Value x /* [R, T, E] */, AttentionParams p) throws TraceException {
        Builder b = at.b();
        Attention.Inputs in = Attention.project(at, x, p);                            // [R, T, H, D], [R, T, G, D] twice
        Composite.FullAttention kind = new Composite.FullAttention(p.scores().scale());
        List<Value> operands = List.of(in.query(), in.key(), in.value(), at.input(StepInput.REAL));
        Value y = b.composite(kind, operands, (body, o) -> body(body, kind.scale(), o)); // [R, T, H, D]
        Value flat = b.reshape(y, at.rows(), at.tokens(), p.heads().queryWidth());    // [R, T, H·D]
        return Linear.linear(at.in("output"), flat, x.shape().dim(-1), p.projections().outputBias());
    }

    private static Value body(Builder b, float scale, List<Value> in) throws TraceException {
        int[] d = in.get(0).shape().dims();                                           // R, T, H, D
        int groups = in.get(1).shape().dim(2);
        int each = d[2] / groups;
        Value q = b.reshape(in.get(0), d[0], d[1], groups, each, d[3]);
        q = b.reshape(b.transpose(q, 0, 2, 3, 1, 4), d[0], groups, each * d[1], d[3]); // [R, G, each·T, D]
        Value k = b.transpose(in.get(1), 0, 2, 1, 3);                                 // [R, G, T, D]
        Value v = b.transpose(in.get(2), 0, 2, 1, 3);                                 // [R, G, T, Dv]
        Value real = b.reshape(in.get(3), d[0], 1, 1, d[1]);                          // [R, 1, 1, T]
        Value s = b.mul(b.matMulTransposed(q, k), scale);                             // [R, G, each·T, T]
        Value top = b.maximum(b.select(real, s, b.scalar(-Float.MAX_VALUE)), -1);     // [R, G, each·T, 1]
        Value e = b.select(real, b.exp(b.sub(s, top)), b.scalar(0f));                 // [R, G, each·T, T]
        Value total = b.max(b.sum(e, -1), b.scalar(Float.MIN_NORMAL));                // [R, G, each·T, 1]
        int width = v.shape().dim(-1);
        Value out = b.matMul(b.div(e, total), v);                                     // [R, G, each·T, Dv]
        out = b.transpose(b.reshape(out, d[0], groups, each, d[1], width), 0, 3, 1, 2, 4);
        return b.reshape(out, d[0], d[1], d[2], width);                               // [R, T, H, Dv]
    }
}
