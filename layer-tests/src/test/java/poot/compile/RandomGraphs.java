package poot.compile;

import static poot.api.graph.ElementType.BOOL;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.api.graph.Graph;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.UnaryKind;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.oracle.Tensor;

/** Random well-typed graphs over [R, T, D] values with states, weights, composites, literals and shared work. */
final class RandomGraphs {
    static final int R = 2;
    static final int T = 3;
    static final int D = 4;
    static final int SLOTS = 6;
    static final List<Role> ROLES = List.of(Role.of("a"), Role.of("b"));

    private static final float[] NUMBERS = {0f, -0f, 1f, -1f, 0.5f, 3f};

    private final Random random;
    private final Builder b = Builder.with(TraceLimits.DEFAULT);
    private final List<Value> pool = new ArrayList<>();

    private RandomGraphs(long seed) {
        this.random = new Random(seed);
    }

    /** The graph of a seed. */
    static Graph graph(long seed) throws TraceException {
        return new RandomGraphs(seed).trace();
    }

    /** Inputs of a graph of this class: slots and states. */
    static Map<String, Tensor> inputs(long seed) {
        Random random = new Random(seed);
        Map<String, Tensor> in = new HashMap<>();
        in.put("x", floats(random, Shape.of(R, T, D)));
        in.put("y", floats(random, Shape.of(R, 1, D)));
        int[] rows = new int[R * T];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i % 4 == 3 ? -1 : i % SLOTS;
        }
        in.put("rows", Tensor.i32(Shape.of(R, T), rows));
        in.put("cache", floats(random, Shape.of(SLOTS, D)));
        in.put("carry", floats(random, Shape.of(R, D)));
        return in;
    }

    static Tensor floats(Random random, Shape shape) {
        float[] v = new float[(int) shape.count()];
        for (int i = 0; i < v.length; i++) {
            v[i] = (float) random.nextGaussian();
        }
        return Tensor.f32(shape, v);
    }

    private Graph trace() throws TraceException {
        Value x = b.slot("x", TensorType.of(F32, R, T, D));
        Value y = b.slot("y", TensorType.of(F32, R, 1, D));
        Value rows = b.slot("rows", TensorType.of(I32, R, T));
        pool.add(x);
        pool.add(b.broadcast(y, Shape.of(R, T, D)));
        Value cache = b.state("cache", TensorType.of(F32, SLOTS, D));
        if (random.nextBoolean()) {
            pool.add(b.gather(cache, rows));
        }
        grow(6);
        Value written = b.scatter(cache, rows, any());
        pool.add(b.gather(written, rows));
        if (random.nextInt(4) == 0) {
            pool.add(b.gather(cache, rows));
        }
        grow(8);
        Value carry = b.state("carry", TensorType.of(F32, R, D));
        Value sum = b.reshape(b.sum(any(), 1), R, D);
        b.carry("cache", cache, random.nextInt(5) == 0 ? b.scatter(written, rows, any()) : written);
        b.carry("carry", carry, random.nextInt(5) == 0 ? carry : b.add(carry, sum));
        b.output("out", any());
        b.output("index", b.argMax(any(), -1));
        List<Value> top = b.topK(any(), 2);
        b.output("top", top.get(random.nextInt(2)));
        b.validate("finite", b.reshape(b.compare(CompareKind.LE, b.sum(b.sum(any(), 1), 2), b.scalar(1e30f)), R));
        return b.finish();
    }

    private Value any() {
        return pool.get(random.nextInt(pool.size()));
    }

    private void grow(int n) throws TraceException {
        for (int i = 0; i < n; i++) {
            pool.add(next());
        }
    }

    private Value next() throws TraceException {
        Value x = any();
        return switch (random.nextInt(16)) {
            case 0 -> b.binary(BinaryKind.values()[random.nextInt(3)], x, any());
            case 1 -> b.binary(random.nextBoolean() ? BinaryKind.MUL : BinaryKind.ADD, x, number());
            case 2 -> b.sub(x, number());
            case 3 -> b.div(x, b.scalar(random.nextBoolean() ? 1f : 3f));
            case 4 -> b.unary(UnaryKind.values()[random.nextInt(7)], x);
            case 5 -> b.select(b.compare(CompareKind.values()[random.nextInt(6)], x, any()), any(), any());
            case 6 -> b.transpose(b.transpose(x, 1, 0, 2), random.nextBoolean() ? new Integer[] {1, 0, 2} : new Integer[] {1, 0, 2});
            case 7 -> b.reshape(b.reshape(x, R * T, D), R, T, D);
            case 8 -> b.matMulTransposed(x, b.weight(ROLES.get(random.nextInt(2)), D, D));
            case 9 -> norm(x);
            case 10 -> b.concat(1, b.slice(x, 1, 0, 1), b.slice(any(), 1, 1, T));
            case 11 -> b.add(x, literal());
            case 12 -> b.cast(b.cast(x, random.nextBoolean() ? ElementType.F16 : F32), F32);
            case 13 -> b.slice(b.apply(new Op.Pad(2, 1, 0), x), 2, 0, D);
            case 14 -> b.mul(x, b.cast(b.compare(CompareKind.GT, x, b.scalar(0f)), F32));
            default -> b.add(b.broadcast(b.mean(x, -1), Shape.of(R, T, D)), any());
        };
    }

    private Value number() throws TraceException {
        Value a = b.scalar(NUMBERS[random.nextInt(NUMBERS.length)]);
        return random.nextBoolean() ? a : b.mul(a, b.scalar(NUMBERS[random.nextInt(NUMBERS.length)]));
    }

    private Value literal() throws TraceException {
        Value v = b.vector(0.5f, -1f, 2f, 0f);
        Value twice = b.add(v, b.literal(LiteralData.floats(Shape.of(1, D), 1f, 2f, 3f, 4f)));
        return random.nextBoolean() ? twice : b.select(b.literal(LiteralData.words(BOOL, Shape.of(D), 1, 0, 1, 0)), v, twice);
    }

    private Value norm(Value x) throws TraceException {
        Value w = b.vector(1f, 2f, 1f, 0.5f);
        return b.composite(new Composite.RmsNorm(1e-5f, 0f), List.of(x, w), (body, in) -> {
            Value ms = body.mean(body.square(in.get(0)), -1);
            Value activated = body.composite(new Composite.Activate(Composite.Activation.RELU), List.of(in.get(0)),
                    (inner, p) -> inner.max(p.get(0), inner.scalar(0f)));
            return body.mul(body.div(activated, body.sqrt(body.add(ms, 1e-5f))), in.get(1));
        });
    }
}
