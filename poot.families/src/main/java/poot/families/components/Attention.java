package poot.families.components;

import java.util.Optional;
import poot.api.graph.Builder;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.StepInput;
import poot.families.components.AttentionParams.Heads;
import poot.families.components.AttentionParams.Positions;
import poot.families.components.AttentionParams.QkNorm;
import poot.families.components.AttentionParams.Span;

/** Causal attention over the cache: multi-head, grouped-query (Ainslie et al. 2023) or multi-query. */
public final class Attention {
    private Attention() {}

    /** Queries [R, T, H, D], keys and values [R, T, G, D], positions applied. */
    public record Inputs(Value query, Value key, Value value) {}

    /** Projects, writes the cache, attends and projects back: [R, T, E] to [R, T, E]. */
    public static Value trace(Site at, Value x /* [R, T, E] */, AttentionParams p) throws TraceException {
        Builder b = at.b();
        Inputs in = project(at, x, p);
        KeyValues kv = KeyValues.write(at, in.key(), in.value());
        Optional<Value> slopes = p.positions() instanceof Positions.Alibi a
                ? Optional.of(b.vector(slopes(p.heads().query(), a.maxBias()))) : Optional.empty();   // [H]
        AttentionParams.Scores s = p.scores();
        boolean bounded = s.window() > 0 && s.window() < at.reach();
        AttentionParams.Scores scores = bounded ? s : new AttentionParams.Scores(s.scale(), s.softcap(), 0);
        Value y = AttentionScores.attend(b, in.query(), kv, at.input(StepInput.POSITIONS), scores, slopes, Optional.empty());
        Value flat = b.reshape(y, at.rows(), at.tokens(), p.heads().queryWidth());    // [R, T, H·D]
        return Linear.linear(at.in("output"), flat, x.shape().dim(-1), p.projections().outputBias());
    }

    /** Queries, keys and values of x: projected, clamped, normalised, turned. */
    static Inputs project(Site at, Value x, AttentionParams p) throws TraceException {
        Inputs in = switch (p.projections().layout()) {
            case SEPARATE -> separate(at, x, p);
            case BY_GROUP -> byGroup(at, x, p);
        };
        Value q = in.query();                                                         // [R, T, H, D]
        Value k = in.key();                                                           // [R, T, G, D]
        if (p.qkNorm().isPresent()) {
            q = normalise(at.in("query_norm"), q, p.qkNorm().get());
            k = normalise(at.in("key_norm"), k, p.qkNorm().get());
        }
        if (p.positions() instanceof Positions.Rotated r) {
            q = r.rotary().apply(at, q);
            k = r.rotary().apply(at, k);
        }
        return new Inputs(q, k, in.value());
    }

    private static Inputs separate(Site at, Value x, AttentionParams p) throws TraceException {
        Heads h = p.heads();
        boolean bias = p.projections().inputBias();
        Value q = clip(at, Linear.linear(at.in("query"), x, h.queryWidth(), bias), p); // [R, T, H·D]
        Value k = clip(at, Linear.linear(at.in("key"), x, h.keyWidth(), bias), p);    // [R, T, G·D]
        Value v = clip(at, Linear.linear(at.in("value"), x, h.keyWidth(), bias), p);  // [R, T, G·D]
        return new Inputs(heads(at, q, h.query()), heads(at, k, h.groups()), heads(at, v, h.groups()));
    }

    private static Inputs byGroup(Site at, Value x, AttentionParams p) throws TraceException {
        Builder b = at.b();
        Heads h = p.heads();
        int each = h.query() / h.groups();
        int width = h.groups() * (each + 2) * h.dim();
        Value all = clip(at, Linear.linear(at.in("query_key_value"), x, width, p.projections().inputBias()), p);
        Value g = b.reshape(all, at.rows(), at.tokens(), h.groups(), each + 2, h.dim()); // [R, T, G, each+2, D]
        Value q = b.reshape(b.slice(g, 3, 0, each), at.rows(), at.tokens(), h.query(), h.dim());
        Value k = b.reshape(b.slice(g, 3, each, each + 1), at.rows(), at.tokens(), h.groups(), h.dim());
        Value v = b.reshape(b.slice(g, 3, each + 1, each + 2), at.rows(), at.tokens(), h.groups(), h.dim());
        return new Inputs(q, k, v);
    }

    private static Value heads(Site at, Value x /* [R, T, n·D] */, int n) throws TraceException {
        return at.b().reshape(x, at.rows(), at.tokens(), n, x.shape().dim(-1) / n);   // [R, T, n, D]
    }

    private static Value clip(Site at, Value x, AttentionParams p) throws TraceException {
        float c = p.projections().clip();
        return c == 0 ? x : at.b().min(at.b().max(x, at.b().scalar(-c)), at.b().scalar(c));
    }

    private static Value normalise(Site at, Value x /* [R, T, n, D] */, QkNorm n) throws TraceException {
        if (n.span() == Span.HEAD) {
            return n.norm().apply(at, x);                                             // [R, T, n, D]
        }
        int[] d = x.shape().dims();
        Value flat = at.b().reshape(x, d[0], d[1], d[2] * d[3]);                      // [R, T, n·D]
        return at.b().reshape(n.norm().apply(at, flat), d);                           // [R, T, n, D]
    }

    /**
     * ALiBi's slopes: with n the largest power of two not over the heads, head h &lt; n has 2^(-maxBias·(h + 1)/n);
     * those after take every other one of twice as many.
     */
    static float[] slopes(int heads, float maxBias) {
        int n = Integer.highestOneBit(heads);
        float[] out = new float[heads];
        for (int h = 0; h < heads; h++) {
            double power = h < n ? (h + 1.0) / n : (2.0 * (h - n) + 1) / (2.0 * n);
            out[h] = (float) Math.pow(2, -maxBias * power);
        }
        return out;
    }
}
