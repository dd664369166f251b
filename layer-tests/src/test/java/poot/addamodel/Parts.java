package poot.addamodel;

import java.util.List;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.UnaryKind;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.ModelSchema;
import poot.api.model.StepInput;
import poot.api.model.StepShape;

/** The pieces the families here are made of, each with its primitive body. */
final class Parts {
    private Parts() {}

    /** x [.., K] times the transpose of the weight [N, K], plus a bias [N]. */
    static Value linear(Builder b, Value x, Role role, int n) throws TraceException {
        Value y = b.matMulTransposed(x, b.weight(role.in("weight"), n, x.shape().dim(-1)));
        return b.add(y, b.weight(role.in("bias"), n));
    }

    /** Layer norm over the last axis with weight and bias. */
    static Value layerNorm(Builder b, Value x, Role role, float eps) throws TraceException {
        int d = x.shape().dim(-1);
        List<Value> in = List.of(x, b.weight(role.in("weight"), d), b.weight(role.in("bias"), d));
        return b.composite(new Composite.LayerNorm(eps, true), in, (body, p) -> {
            Value centred = body.sub(p.get(0), body.mean(p.get(0), -1));                    // [.., D]
            Value scale = body.sqrt(body.add(body.mean(body.square(centred), -1), eps));    // [.., 1]
            return body.add(body.mul(body.div(centred, scale), p.get(1)), p.get(2));
        });
    }

    /** max(x, 0). */
    static Value relu(Builder b, Value x) throws TraceException {
        return b.composite(new Composite.Activate(Composite.Activation.RELU), List.of(x),
                (body, p) -> body.max(p.get(0), body.scalar(0f)));
    }

    /** Rotates the first {@code rotary} features of x [R, T, H, D]; base 10000. */
    static Value rope(Builder b, Value x, Value positions, int rotary) throws TraceException {
        float[] f = new float[rotary / 2];
        for (int i = 0; i < f.length; i++) {
            f[i] = (float) Math.pow(10000, -2.0 * i / rotary);
        }
        List<Value> in = List.of(x, positions, b.vector(f));
        return b.composite(new Composite.Rope(rotary, false, 1), in, (body, p) -> {
            Shape s = p.get(1).shape();
            Value at = body.reshape(body.cast(p.get(1), ElementType.F32), s.dim(0), s.dim(1), 1, 1);
            Value angle = body.mul(at, p.get(2));                                           // [R, T, 1, rotary/2]
            Value cos = body.unary(UnaryKind.COS, angle);
            Value sin = body.unary(UnaryKind.SIN, angle);
            Value first = body.slice(p.get(0), -1, 0, rotary / 2);
            Value second = body.slice(p.get(0), -1, rotary / 2, rotary);
            Value turned = body.concat(-1, body.sub(body.mul(first, cos), body.mul(second, sin)),
                    body.add(body.mul(second, cos), body.mul(first, sin)));
            int d = p.get(0).shape().dim(-1);
            return rotary == d ? turned : body.concat(-1, turned, body.slice(p.get(0), -1, rotary, d));
        });
    }

    /** Writes k and v [R, T, H, D] to the layer's cache and attends over it: [R, T, H, D]. */
    static Value attend(Builder b, StepShape s, int layer, Value q, Value k, Value v) throws TraceException {
        Value keys = write(b, s, "layers." + layer + ".key", k);
        Value values = write(b, s, "layers." + layer + ".value", v);
        float scale = (float) (1 / Math.sqrt(q.shape().dim(-1)));
        Composite.Attention attention = new Composite.Attention(s.kvBlock(), scale, 0, 0, false, false, false);
        List<Value> in = List.of(q, keys, values, StepInput.KV_TABLE.in(b, s), StepInput.POSITIONS.in(b, s));
        return b.composite(attention, in, (body, p) -> attention(body, attention, p));
    }

    private static Value write(Builder b, StepShape s, String state, Value x) throws TraceException {
        Shape unit = x.shape().slice(2, 4);
        Value before = b.state(state, new TensorType(s.kv().element(), Shape.of(s.kvSlots()).concat(unit)));
        Value after = b.scatter(before, StepInput.KV_WRITE.in(b, s), b.cast(x, s.kv().element()));
        b.carry(state, before, after);
        return after;
    }

    private static Value attention(Builder b, Composite.Attention a, List<Value> p) throws TraceException {
        Value table = p.get(3);                                                             // [R, B]
        int rows = table.shape().dim(0);
        int positions = table.shape().dim(1) * a.block();
        Value wide = b.reshape(table, rows, table.shape().dim(1), 1);
        Value slot = b.add(b.mul(wide, b.scalar(a.block())), b.iota(Shape.of(a.block()), 0));
        Value known = b.select(b.compare(CompareKind.LT, wide, b.scalar(0)), b.scalar(-1), slot);
        Value slots = b.reshape(known, rows, positions);                                    // [R, C]
        Value k = b.transpose(b.cast(b.gather(p.get(1), slots), ElementType.F32), 0, 2, 1, 3);
        Value v = b.transpose(b.cast(b.gather(p.get(2), slots), ElementType.F32), 0, 2, 1, 3);
        Value q = b.transpose(p.get(0), 0, 2, 1, 3);                                        // [R, H, T, D]
        Value scores = b.mul(b.matMulTransposed(q, k), a.scale());                          // [R, H, T, C]
        Value at = b.reshape(p.get(4), rows, 1, p.get(4).shape().dim(1), 1);
        Value seen = b.compare(CompareKind.LE, b.iota(Shape.of(positions), 0), at);         // [R, 1, T, C]
        Value masked = b.select(seen, scores, b.scalar(-1e30f));
        Value e = b.select(seen, b.exp(b.sub(masked, b.maximum(masked, -1))), b.scalar(0f));
        Value weights = b.div(e, b.max(b.sum(e, -1), b.scalar(1e-30f)));
        return b.transpose(b.matMul(weights, v), 0, 2, 1, 3);
    }

    /** The logits a step returns from its hidden state [R, T, N], through the head [V, N]. */
    static void head(Builder b, StepShape s, Value x, int vocabulary) throws TraceException {
        int n = x.shape().dim(-1);
        Value rows = x;
        if (s.logits() == StepShape.Logits.LAST) {
            Value first = b.mul(b.iota(Shape.of(s.rows()), 0), b.scalar(s.tokens()));
            rows = b.gather(b.reshape(x, s.rows() * s.tokens(), n), b.add(first, StepInput.LAST.in(b, s)));
        }
        b.output(ModelSchema.LOGITS, b.matMulTransposed(rows, b.weight(Role.of("head"), vocabulary, n)));
    }
}
