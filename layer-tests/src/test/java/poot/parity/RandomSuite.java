package poot.parity;

import static poot.api.graph.ElementType.F16;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.graph.Builder;
import poot.api.graph.Composite.Activation;
import poot.api.graph.Op;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.families.components.Nonlinearity;
import poot.oracle.Tensor;

/** Random graphs with states over shapes around vector borders: values share the arena, states are updated in place. */
abstract class RandomSuite {
    private static final int[] EXTENTS = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33};

    private final Judge judge;
    private final int graphs;

    RandomSuite(Judge judge, int graphs) {
        this.judge = judge;
        this.graphs = graphs;
    }

    /** The graph of a seed: values of [r, t, d], bounded, and compared only where they are exact. */
    private static final class Trace {
        private final Random random;
        private final Builder b = Builder.with(TraceLimits.DEFAULT);
        private final List<Value> pool = new ArrayList<>();
        private final int r;
        private final int t;
        private final int d;
        private Value x;
        private Value y;

        Trace(long seed) {
            random = new Random(seed);
            r = 1 + random.nextInt(3);
            t = EXTENTS[random.nextInt(EXTENTS.length)];
            d = EXTENTS[random.nextInt(EXTENTS.length)];
        }

        void run(long seed, Judge judge) throws Exception {
            x = b.slot("x", TensorType.of(F32, r, t, d));
            y = b.slot("y", TensorType.of(F32, r, 1, d));
            Value rows = b.slot("rows", TensorType.of(I32, r, t));
            pool.add(x);
            pool.add(b.broadcast(y, x.shape()));
            int slots = r * t + 2;
            Value cache = b.state("cache", TensorType.of(F16, slots, d));
            Value carry = b.state("carry", TensorType.of(F32, r, d));
            pool.add(b.cast(b.gather(cache, rows), F32));
            grow(6);
            Value written = b.scatter(cache, rows, b.cast(x, F16));
            pool.add(b.cast(b.gather(written, rows), F32));
            grow(6);
            b.carry("cache", cache, written);
            b.carry("carry", carry, b.add(carry, b.reshape(b.sum(any(), 1), r, d)));
            for (int i = 0; i < 3; i++) {
                b.output("out" + i, any());
            }
            List<Value> top = b.topK(x, 1 + random.nextInt(d));
            b.output("values", top.get(0));
            b.output("indices", top.get(1));
            b.validate("finite", b.compare(CompareKind.LE, b.reshape(b.sum(b.sum(x, 1), 2), r), b.scalar(1e30f)));
            Map<String, Tensor> in = new HashMap<>();
            in.put("x", CpuJudge.floats(random, r, t, d));
            in.put("y", CpuJudge.floats(random, r, 1, d));
            int[] order = new int[r * t];
            Arrays.setAll(order, i -> i % 5 == 3 ? -1 : i + 1);
            in.put("rows", Tensor.i32(Shape.of(r, t), order));
            float[] halves = CpuJudge.floats(random, slots, d).floats();
            for (int i = 0; i < halves.length; i++) {
                halves[i] = Float.float16ToFloat(Float.floatToFloat16(halves[i]));
            }
            in.put("cache", Tensor.floats(TensorType.of(F16, slots, d), halves));
            in.put("carry", CpuJudge.floats(random, r, d));
            judge.graph("seed " + seed, b.finish(), Map.of(), in, 1e-4f);
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
            return switch (random.nextInt(12)) {
                case 0 -> b.tanh(b.binary(BinaryKind.values()[random.nextInt(3)], any(), any()));
                case 1 -> b.mul(any(), 0.5f);
                case 2 -> b.select(b.compare(CompareKind.values()[random.nextInt(6)], x, y), any(), any());
                case 3 -> b.transpose(b.transpose(any(), 2, 0, 1), 1, 2, 0);
                case 4 -> b.concat(1, b.slice(any(), 1, 0, t / 2), b.slice(any(), 1, t / 2, t));
                case 5 -> b.slice(b.apply(new Op.Pad(2, 1, 2), any()), 2, 1, d + 1);
                case 6 -> b.sub(any(), b.mean(any(), random.nextInt(3)));
                case 7 -> b.tanh(b.mul(any(), y));
                case 8 -> b.mul(b.matMul(b.matMulTransposed(any(), any()), any()), 1f / (t * d));
                case 9 -> b.max(any(), b.reduce(ReduceKind.MIN, any(), random.nextInt(3)));
                case 10 -> Nonlinearity.activate(b, Activation.values()[random.nextInt(4)], any());
                default -> b.mul(b.cumulativeSum(any(), random.nextInt(3), random.nextBoolean()), 0.1f);
            };
        }
    }

    @Test
    void randomGraphs() throws Exception {
        for (long seed = 0; seed < graphs; seed++) {
            new Trace(seed).run(seed, judge);
        }
    }
}
