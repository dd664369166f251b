package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;
import static poot.parity.CpuJudge.floats;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Builder;
import poot.api.graph.Encoding;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.graph.Weight;
import poot.api.model.KvForm;
import poot.backend.cpu.CpuExecutorProvider;
import poot.core.compile.Compiler;
import poot.core.quant.QuantFormats;
import poot.families.components.AttentionParams;
import poot.families.components.AttentionScores;
import poot.families.components.KeyValues;
import poot.oracle.Tensor;
import poot.oracleexec.Transfer;
import poot.step.Mode;

/**
 * The same program over the same operands gives the same bits: interpreted or compiled, in the first run or the last,
 * with one worker or several.
 */
class RepeatabilityTest {
    /** Enough for every loop to be compiled on the way. */
    private static final int RUNS = 300;
    private static final int K = 256;
    private static final int N = 19;
    private static final List<Encoding> ENCODINGS = List.of(
            Encoding.F32, Encoding.F16, Encoding.BF16, Encoding.Q8_0, Encoding.Q4_0, Encoding.Q4_K, Encoding.Q5_K,
            Encoding.Q6_K, Encoding.IQ4_XS, Encoding.Q2_K);

    private final Random random = new Random(11);
    private final Map<String, Tensor> in = new HashMap<>();
    private final Map<Role, Weight> weights = new HashMap<>();

    private Value slot(Builder b, String name, int... dims) throws TraceException {
        in.put(name, floats(random, dims));
        return b.slot(name, TensorType.of(F32, dims));
    }

    /** Finite whatever the encoding: no 16-bit field has an exponent of all ones. */
    private Weight weight(Encoding e, Arena arena) {
        long size = (long) N * K / e.blockElements() * e.blockBytes();
        MemorySegment s = arena.allocate(size);
        for (long i = 0; i < size; i++) {
            s.set(ValueLayout.JAVA_BYTE, i, (byte) (random.nextInt(256) & 0xbb));
        }
        return Weight.whole(e + "", QuantFormats.of(e), Shape.of(N, K), List.of(s));
    }

    private Graph graph(Arena arena) throws TraceException {
        Builder b = Builder.with(TraceLimits.DEFAULT);
        for (int m : new int[] {1, 7}) {
            Value x = slot(b, "x" + m, m, K);
            for (Encoding e : ENCODINGS) {
                Role role = Role.of("w" + e);
                weights.computeIfAbsent(role, r -> weight(e, arena));
                b.output("product" + m + e, b.matMulTransposed(x, b.weight(role, N, K)));
            }
            b.output("sums" + m, b.sum(x, 1));
            b.output("product" + m, b.matMulTransposed(x, slot(b, "y" + m, 21, K)));
        }
        attention(b, 1, 600);
        attention(b, 9, 70);
        return b.finish();
    }

    private void attention(Builder b, int tokens, int slots) throws TraceException {
        String s = "" + tokens;
        Value q = slot(b, "q" + s, 1, tokens, 4, 24);
        KeyValues cache = new KeyValues(
                KeyValues.Pool.of(b, slot(b, "k" + s, slots, 2, 24), KvForm.F32),
                KeyValues.Pool.of(b, slot(b, "v" + s, slots, 2, 24), KvForm.F32), b.slot("t" + s, TensorType.of(I32, 1, 1)), slots);
        Value positions = b.slot("p" + s, TensorType.of(I32, 1, tokens));
        in.put("t" + s, Tensor.i32(Shape.of(1, 1), new int[1]));
        int[] last = new int[tokens];
        for (int i = 0; i < tokens; i++) {
            last[i] = slots - tokens + i;
        }
        in.put("p" + s, Tensor.i32(Shape.of(1, tokens), last));
        b.output("attention" + s, AttentionScores.attend(
                b, q, cache, positions, new AttentionParams.Scores(0.2f, 0, 0), Optional.empty(), Optional.empty()));
    }

    @Test
    void theBitsAreTheSameInEveryRunAndWithAnyNumberOfWorkers() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            Graph g = graph(arena);
            Map<String, byte[]> first = new TreeMap<>();
            for (int threads = 1; threads <= 3; threads++) {
                try (Executor executor = new CpuExecutorProvider().open(new ExecutorOptions(threads));
                        Executable executable = executor.load(weights)) {
                    Program p = Compiler.compile(g, weights, executor.target(), Mode.compile());
                    run(executable, p, g, first, threads);
                }
            }
        }
    }

    private void run(Executable executable, Program p, Graph g, Map<String, byte[]> first, int threads) throws Exception {
        try (Entry entry = executable.addEntry(p); States none = executable.allocate(Map.of())) {
            p.graph().slots().forEach(s -> entry.input(s.name()).copyFrom(Transfer.bytes(in.get(s.name()))));
            for (int run = 0; run < (threads == 1 ? RUNS : RUNS / 10); run++) {
                entry.run(none);
                for (Graph.Output o : g.outputs()) {
                    MemorySegment now = entry.output(o.name());
                    byte[] before = first.computeIfAbsent(o.name(), n -> now.toArray(ValueLayout.JAVA_BYTE));
                    assertEquals(-1, now.mismatch(MemorySegment.ofArray(before)),
                            o.name() + " of run " + run + " with " + threads + " workers: the first byte that differs");
                }
            }
        }
    }
}
