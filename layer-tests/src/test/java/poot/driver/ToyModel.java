package poot.driver;

import static poot.api.graph.ElementType.F32;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Graph;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.Model;
import poot.api.model.ModelConfig;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.RequestInput;
import poot.api.model.RequestInput.Extent;
import poot.api.model.RequestInput.Presence;
import poot.api.model.StateSpec;
import poot.api.model.StepInput;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.api.model.WeightMap;
import poot.fixtures.MemoryStore;
import poot.oracle.Tensor;

/**
 * One attention layer, optionally a recurrent sum, and the request inputs a test asks for. Token {@link #SPOILT}
 * makes logits that are not finite, token {@link #REFUSED} breaks a validation.
 */
record ToyModel(boolean recurrent, List<RequestInput> inputs) implements Model {
    static final int VOCABULARY = 32;
    static final int WIDTH = 8;
    static final int CONTEXT = 64;
    static final int SPOILT = 30;
    static final int REFUSED = 31;

    static final RequestInput TAG = new RequestInput("tag", ElementType.I32, Extent.PER_POSITION, Shape.SCALAR, 0, Presence.DEFAULTED);
    static final RequestInput IMAGE = new RequestInput("image", F32, Extent.PER_POSITION, Shape.of(WIDTH), 0, Presence.OPTIONAL);
    static final RequestInput STYLE = new RequestInput("style", F32, Extent.PER_ROW, Shape.of(WIDTH), 0, Presence.REQUIRED);

    static ToyModel plain() {
        return new ToyModel(false, List.of());
    }

    static MemoryStore store() {
        Random random = new Random(3);
        Map<String, Tensor> t = new HashMap<>();
        for (String name : List.of("query", "key", "value")) {
            t.put(name, floats(random, 1f, WIDTH, WIDTH));
        }
        Tensor embedding = floats(random, 1f, VOCABULARY, WIDTH);
        embedding.floats()[SPOILT * WIDTH] = Float.NaN;
        t.put("embedding", embedding);
        Tensor head = floats(random, 1f, VOCABULARY, WIDTH);
        Arrays.fill(head.floats(), SPOILT * WIDTH, VOCABULARY * WIDTH, 0f); // neither is ever the likeliest
        t.put("head", head);
        return new MemoryStore(t);
    }

    private static Tensor floats(Random random, float scale, int... dims) {
        Shape shape = Shape.of(dims);
        float[] v = new float[(int) shape.count()];
        for (int i = 0; i < v.length; i++) {
            v[i] = scale * (float) random.nextGaussian();
        }
        return Tensor.f32(shape, v);
    }

    @Override
    public ModelConfig config() {
        return new ModelConfig("toy", VOCABULARY, CONTEXT, new TreeSet<>(Set.of(0)), ModelConfig.ToolFormat.NONE, new LinkedHashMap<>());
    }

    @Override
    public ModelSchema schema() {
        List<StateSpec> states = new ArrayList<>();
        states.add(new StateSpec("layers.0.key", StateSpec.Extent.KV_SLOTS, Shape.of(WIDTH)));
        states.add(new StateSpec("layers.0.value", StateSpec.Extent.KV_SLOTS, Shape.of(WIDTH)));
        if (recurrent) {
            states.add(new StateSpec("sum", StateSpec.Extent.SEQUENCES, Shape.of(WIDTH)));
        }
        return new ModelSchema(Map.of(
                ProgramName.STEP, new ModelSchema.ProgramSchema(states, Set.of(ModelSchema.LOGITS)),
                ProgramName.ENCODE, new ModelSchema.ProgramSchema(List.of(), Set.of(ModelSchema.EMBEDDING))), inputs);
    }

    @Override
    public WeightMap weights() {
        WeightMap.Builder map = WeightMap.builder();
        List.of("query", "key", "value").forEach(n -> map.whole(Role.of(n), n, WIDTH, WIDTH));
        List.of("embedding", "head").forEach(n -> map.whole(Role.of(n), n, VOCABULARY, WIDTH));
        return map.build();
    }

    @Override
    public Graph traceInto(StepSpec spec, Builder b) throws TraceException {
        StepShape s = spec.shape();
        Value real = StepInput.REAL.in(b, s);                                               // [R, T]
        Value tokens = StepInput.TOKENS.in(b, s);
        Value x = b.gather(b.weight(Role.of("embedding"), VOCABULARY, WIDTH), tokens);      // [R, T, D]
        for (RequestInput i : inputs) {
            if (i.presence() != Presence.OPTIONAL || spec.carried().contains(i.name())) {
                x = b.add(x, contribution(b, i, b.slot(i.name(), i.type(s))));
            }
        }
        if (spec.program() == ProgramName.ENCODE) {
            Value kept = b.select(b.reshape(real, s.rows(), s.tokens(), 1), x, b.scalar(0f));
            b.output(ModelSchema.EMBEDDING, b.reshape(b.sum(kept, 1), s.rows(), WIDTH));
            return b.finish();
        }
        Value refused = b.cast(b.compare(CompareKind.EQ, tokens, b.scalar(REFUSED)), ElementType.I32);
        b.validate("a token is refused", b.reshape(
                b.compare(CompareKind.EQ, b.maximum(refused, 1), b.scalar(0)), s.rows()));
        Value attended = b.add(x, attention(b, s, x));
        Value last = b.reshape(b.takeAlong(b.transpose(attended, 0, 2, 1), lastIndex(b, s)), s.rows(), WIDTH);
        if (recurrent) {
            last = b.add(last, sum(b, s, x, real));
        }
        b.output(ModelSchema.LOGITS, b.matMulTransposed(last, b.weight(Role.of("head"), VOCABULARY, WIDTH)));
        return b.finish();
    }

    /** [R, T, D], or [R, 1, D] of a row's tensor. */
    private static Value contribution(Builder b, RequestInput i, Value slot) throws TraceException {
        if (i.equals(TAG)) {
            return b.reshape(b.mul(b.cast(slot, F32), 0.25f), slot.shape().dim(0), slot.shape().dim(1), 1);
        }
        return i.extent() == Extent.PER_ROW ? b.reshape(slot, slot.shape().dim(0), 1, WIDTH) : slot;
    }

    private static Value lastIndex(Builder b, StepShape s) throws TraceException {
        Value last = b.reshape(StepInput.LAST.in(b, s), s.rows(), 1, 1);
        return b.broadcast(last, Shape.of(s.rows(), WIDTH, 1));
    }

    private static Value attention(Builder b, StepShape s, Value x) throws TraceException {
        Value write = StepInput.KV_WRITE.in(b, s);
        Value start = b.mul(StepInput.KV_TABLE.in(b, s), b.scalar(s.kvBlock()));            // [R, B]
        Value slots = b.add(b.reshape(start, s.rows(), s.tableWidth(), 1), b.iota(Shape.of(1, 1, s.kvBlock()), 2));
        slots = b.slice(b.reshape(slots, s.rows(), s.tableWidth() * s.kvBlock()), 1, 0, s.capacity()); // [R, C]
        Value q = b.matMulTransposed(x, b.weight(Role.of("query"), WIDTH, WIDTH));          // [R, T, D]
        Value k = cached(b, s, "key", write, slots, x);                                     // [R, C, D]
        Value v = cached(b, s, "value", write, slots, x);
        Value seen = b.compare(CompareKind.LE, b.iota(Shape.of(1, 1, s.capacity()), 2),
                b.reshape(StepInput.POSITIONS.in(b, s), s.rows(), s.tokens(), 1));          // [R, T, C]
        Value scores = b.select(seen, b.matMulTransposed(q, k), b.scalar(-1e30f));
        Value e = b.exp(b.sub(scores, b.maximum(scores, -1)));
        return b.matMul(b.div(e, b.sum(e, -1)), v);
    }

    private static Value cached(Builder b, StepShape s, String name, Value write, Value slots, Value x) throws TraceException {
        Value state = b.state("layers.0." + name, TensorType.of(s.kv().element(), s.kvSlots(), WIDTH));
        Value fresh = b.cast(b.matMulTransposed(x, b.weight(Role.of(name), WIDTH, WIDTH)), s.kv().element());
        Value after = b.scatter(state, write, fresh);
        b.carry("layers.0." + name, state, after);
        return b.cast(b.gather(after, slots), F32);
    }

    private static Value sum(Builder b, StepShape s, Value x, Value real) throws TraceException {
        Value rows = StepInput.STATE_ROWS.in(b, s);
        Value state = b.state("sum", TensorType.of(F32, s.layout().sequences(), WIDTH));
        Value kept = b.select(b.reshape(real, s.rows(), s.tokens(), 1), x, b.scalar(0f));
        Value after = b.add(b.gather(state, rows), b.reshape(b.sum(kept, 1), s.rows(), WIDTH));
        b.carry("sum", state, b.scatter(state, rows, after));
        return b.tanh(after);
    }
}
