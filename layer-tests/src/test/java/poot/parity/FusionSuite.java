package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.Fusion;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Builder;
import poot.api.graph.Composite.Activation;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Graph;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.core.compile.CompileOptions;
import poot.core.compile.Compiler;
import poot.core.quant.QuantFormats;
import poot.families.components.Nonlinearity;
import poot.families.components.Norm;
import poot.families.components.Rotary;
import poot.families.components.RopeFrequencies;
import poot.families.components.Site;
import poot.oracle.Tensor;
import poot.oracleexec.Transfer;

/** Random graphs of what fuses: the same bits with every fusion, with one worker and with several. */
abstract class FusionSuite {
    private static final int[] WIDTHS = {32, 64, 160};
    private static final List<Encoding> ENCODINGS = List.of(Encoding.F32, Encoding.F16, Encoding.BF16, Encoding.Q8_0, Encoding.Q4_0);

    private final Opening backend;
    private final int graphs;
    private final int[] tokens;

    /** @param tokens of a row, by turns of chance */
    FusionSuite(Opening backend, int graphs, int... tokens) {
        this.backend = backend;
        this.graphs = graphs;
        this.tokens = tokens;
    }

    /** Opens the backend with so many workers, where it has any. */
    interface Opening {
        Executor open(int workers) throws ExecutorException;
    }

    /** One random graph with its weights and inputs. */
    private static final class Trace {
        private final Arena arena;
        private final Random random;
        private final Builder b = Builder.with(TraceLimits.DEFAULT);
        private final Map<Role, Weight> weights = new HashMap<>();
        private final Map<String, Tensor> in = new HashMap<>();
        private final List<Value> pool = new ArrayList<>();
        private final int r;
        private final int t;
        private final int d;
        private final Site top;
        private Value rows;
        private int caches;

        /** Weights lie in native memory, as mapped ones do. */
        Trace(long seed, int[] tokens, Arena arena) {
            this.arena = arena;
            random = new Random(seed);
            r = 1 + random.nextInt(3);
            t = tokens[random.nextInt(tokens.length)];
            d = WIDTHS[random.nextInt(WIDTHS.length)];
            top = Site.top(b, StepSpec.of(ProgramName.STEP, StepShape.step(r, t, 64)));
        }

        Graph trace() throws Exception {
            pool.add(slot("x", r, t, d));
            pool.add(slot("y", r, t, d));
            int[] order = new int[r * t];
            Arrays.setAll(order, i -> i % 7 == 3 ? -1 : i + 1);
            rows = b.slot("rows", TensorType.of(I32, r, t));
            in.put("rows", Tensor.i32(Shape.of(r, t), order));
            in.put("positions", CpuJudge.ints(random, 0, 4000, r, t));
            for (int i = 0; i < 14; i++) {
                pool.add(next());
            }
            for (int i = 0; i < 3; i++) {
                b.output("out" + i, any());
            }
            b.output("last", pool.getLast());
            b.output("sum", b.sum(any(), random.nextInt(3)));
            return b.finish();
        }

        private Value slot(String name, int... dims) throws TraceException {
            in.put(name, CpuJudge.floats(random, dims));
            return b.slot(name, TensorType.of(F32, dims));
        }

        /** Mostly the latest. */
        private Value any() {
            int n = pool.size();
            return pool.get(random.nextBoolean() ? n - 1 : random.nextInt(n));
        }

        private Value weight(int... dims) throws TraceException {
            Encoding e = dims.length == 1 ? ENCODINGS.get(random.nextInt(3)) : ENCODINGS.get(random.nextInt(ENCODINGS.size()));
            Role role = Role.of("w" + weights.size());
            weights.put(role, weight(e, Shape.of(dims)));
            return b.weight(role, dims);
        }

        private Weight weight(Encoding e, Shape shape) {
            byte[] bytes = new byte[(int) (shape.count() / e.blockElements()) * e.blockBytes()];
            random.nextBytes(bytes);
            MemorySegment s = arena.allocate(bytes.length, 64).copyFrom(MemorySegment.ofArray(bytes));
            for (int at = 0; at < bytes.length; at += e.blockBytes()) {
                float small = (float) random.nextGaussian() / 16;
                switch (e) {
                    case F32 -> s.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, small);
                    case BF16 -> s.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) (Float.floatToRawIntBits(small) >>> 16));
                    default -> s.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(small / (e.isDense() ? 1 : 64)));
                }
            }
            return Weight.whole(e + "" + shape, QuantFormats.of(e), shape, List.of(s));
        }

        private Norm norm() {
            return switch (random.nextInt(3)) {
                case 0 -> Norm.rms(1e-5f);
                case 1 -> Norm.rms(1e-6f).withOffset(1);
                default -> Norm.layer(1e-5f, true);
            };
        }

        private Value norm(Value x) throws TraceException {
            int n = x.shape().dim(-1);
            Role role = Role.of("norm" + weights.size());
            weights.put(role, weight(ENCODINGS.get(random.nextInt(3)), Shape.of(n)));
            weights.put(role.in("bias"), weight(Encoding.F32, Shape.of(n)));
            return norm().apply(top.in(role.path()), x);
        }

        private Value linear(Value x, int n) throws TraceException {
            Value y = b.matMulTransposed(x, weight(n, x.shape().dim(-1)));
            return random.nextInt(3) == 0 ? b.add(y, weight(n)) : y;
        }

        private Value next() throws TraceException {
            return switch (random.nextInt(8)) {
                case 0 -> b.add(any(), norm(any()));
                case 1 -> norm(b.add(any(), any()));
                case 2 -> b.add(any(), linear(any(), d));
                case 3 -> gated(any());
                case 4 -> heads(any());
                case 5 -> b.mul(b.tanh(b.binary(BinaryKind.values()[random.nextInt(3)], any(), any())), 0.7f);
                case 6 -> b.tanh(linear(any(), d));
                default -> b.sub(any(), b.mean(any(), random.nextInt(3)));
            };
        }

        private Value gated(Value x) throws TraceException {
            int f = 32 * (1 + random.nextInt(9));
            Value gate = linear(x, f);
            Value hidden = Nonlinearity.gate(b, Activation.values()[random.nextInt(4)], gate, linear(x, f));
            return linear(random.nextInt(4) == 0 ? b.add(hidden, gate) : hidden, d);
        }

        /** Three products, the first two normed and turned, the last two written to caches that are read back. */
        private Value heads(Value x) throws TraceException {
            int h = d / 8;
            Value q = turned(b.reshape(linear(x, d), r, t, h, 8));
            Value k = turned(b.reshape(linear(x, d), r, t, h, 8));
            Value v = b.reshape(linear(x, d), r, t, h, 8);
            Value both = b.mul(cached(k), cached(v));
            return b.reshape(b.add(q, both), r, t, d);
        }

        private Value turned(Value x) throws TraceException {
            Value y = random.nextBoolean() ? norm(x) : x;
            return random.nextInt(4) == 0 ? y : Rotary.of(8, random.nextBoolean(), RopeFrequencies.plain(8, 10000)).apply(top, y);
        }

        private Value cached(Value x) throws TraceException {
            ElementType kind = random.nextBoolean() ? F32 : ElementType.F16;
            Shape s = Shape.of(r * t + 2, d / 8, 8);
            String name = "cache" + caches++;
            Value before = b.state(name, new TensorType(kind, s));
            in.put(name, Tensor.floats(new TensorType(kind, s), new float[(int) s.count()]));
            Value after = b.scatter(before, rows, kind == F32 ? x : b.cast(x, kind));
            Value read = b.gather(random.nextInt(4) == 0 ? before : after, rows);
            b.carry(name, before, after);
            return kind == F32 ? read : b.cast(read, F32);
        }
    }

    private Map<String, byte[]> run(Trace trace, Graph g, Fusion fusion, int threads, int[] kernels) throws Exception {
        Map<String, byte[]> out = new TreeMap<>();
        try (Executor executor = backend.open(threads);
                Executable executable = executor.load(trace.weights)) {
            Program p = Compiler.compile(g, trace.weights, executor.target(), CompileOptions.VERIFIED.withFusion(fusion));
            kernels[fusion.ordinal()] += p.kernels().size();
            Map<String, TensorType> types = new HashMap<>();
            g.states().forEach(c -> types.put(c.name(), c.before().type()));
            try (Entry entry = executable.addEntry(p); States states = executable.allocate(types)) {
                for (int run = 0; run < 2; run++) {
                    p.graph().slots().forEach(s -> entry.input(s.name()).copyFrom(Transfer.bytes(trace.in.get(s.name()))));
                    entry.run(states);
                    for (Graph.Output o : g.outputs()) {
                        out.put(o.name() + run, entry.output(o.name()).toArray(ValueLayout.JAVA_BYTE));
                    }
                    for (String s : types.keySet()) {
                        out.put(s + run, states.read(s).toArray(ValueLayout.JAVA_BYTE));
                    }
                }
            }
        }
        return out;
    }

    /** Whether the last value is a number. */
    private boolean same(long seed, int[] kernels) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            Trace trace = new Trace(seed, tokens, arena);
            Graph g = trace.trace();
            Map<String, byte[]> expected = run(trace, g, Fusion.OFF, 1, kernels);
            for (Fusion fusion : List.of(Fusion.POINTWISE, Fusion.FULL)) {
                Map<String, byte[]> actual = run(trace, g, fusion, 3, kernels);
                assertEquals(expected.keySet(), actual.keySet());
                for (Map.Entry<String, byte[]> e : expected.entrySet()) {
                    int at = Arrays.mismatch(e.getValue(), actual.get(e.getKey()));
                    assertEquals(-1, at, "seed " + seed + ", " + fusion + ", " + e.getKey() + ": the first byte that differs");
                }
            }
            return Float.isFinite(MemorySegment.ofArray(expected.get("last1")).get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0));
        }
    }

    @Test
    void everyFusionHasTheSameBits() throws Exception {
        int[] kernels = new int[Fusion.values().length];
        int finite = 0;
        for (long seed = 0; seed < graphs; seed++) {
            finite += same(seed, kernels) ? 1 : 0;
        }
        assertTrue(finite > 0.9 * graphs, "only " + finite + " graphs have numbers");
        assertTrue(kernels[2] < 0.4 * kernels[0], Arrays.toString(kernels));
    }
}
