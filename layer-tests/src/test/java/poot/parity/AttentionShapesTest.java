package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static poot.parity.CpuJudge.floats;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.api.graph.Builder;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.model.KvForm;
import poot.backend.cpu.CpuExecutorProvider;
import poot.families.components.AttentionParams;
import poot.families.components.AttentionScores;
import poot.families.components.KeyValues;
import poot.oracle.Tensor;
import poot.step.GraphRun;

/**
 * On the CPU what a query reads from a cache is a function of the query, its position and what is cached at the positions
 * it sees: not of the queries beside it, of the cache's blocks, of its capacity, nor of the workers.
 */
class AttentionShapesTest {
    private static final int LENGTH = 2400;

    private final Random random = new Random(29);

    /** What an attention is. */
    record Kind(int heads, int groups, int depth, int width, int window, float cap, boolean slopes, boolean sinks, KvForm kv) {}

    /** How positions lie: in blocks of the pool, the later the farther down. */
    private record Place(int capacity, int block) {
        int entry(int block, int row) {
            return 2 * (Math.ceilDiv(capacity, this.block) - 1 - block) + row;
        }

        int blocks() {
            return 2 * Math.ceilDiv(capacity, block);
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind(4, 2, 16, 16, 0, 0, false, false, KvForm.F32),
                new Kind(4, 2, 20, 12, 0, 0, false, true, KvForm.F16),
                new Kind(6, 6, 8, 8, 0, 0, true, false, KvForm.F32),
                new Kind(8, 1, 32, 32, 0, 5, false, false, KvForm.BF16),
                new Kind(8, 2, 16, 24, 100, 3, false, true, KvForm.F32),
                new Kind(3, 3, 24, 24, 700, 0, false, false, KvForm.F16),
                new Kind(1, 1, 40, 40, 0, 0, true, true, KvForm.F32),
                new Kind(6, 2, 32, 64, 0, 0, true, true, KvForm.Q8_0),
                new Kind(4, 1, 32, 32, 300, 4, false, false, KvForm.Q8_0));
    }

    /** One case: a cache, queries of every position, and the results so far. */
    private final class Law {
        private final Kind kind;
        private final float[] keys;
        private final float[] values;
        private final float[] queries;
        private final float[][] results = new float[LENGTH][];

        Law(Kind kind) {
            this.kind = kind;
            this.keys = floats(random, LENGTH * kind.groups() * kind.depth()).floats();
            this.values = floats(random, LENGTH * kind.groups() * kind.width()).floats();
            this.queries = floats(random, LENGTH * kind.heads() * kind.depth()).floats();
        }

        /** The pool: row 1 holds the text, row 0 something else; both where {@code place} says. */
        private Tensor pool(Place place, float[] text, int each) {
            float[] out = floats(random, place.blocks() * place.block() * each).floats();
            for (int p = 0; p < Math.min(LENGTH, place.capacity()); p++) {
                int slot = place.entry(p / place.block(), 1) * place.block() + p % place.block();
                System.arraycopy(text, p * each, out, slot * each, each);
            }
            return Tensor.f32(Shape.of(place.blocks() * place.block(), kind.groups(), each / kind.groups()), out);
        }

        /** Queries at {@code first} to {@code first + tokens} of row 1, beside others of row 0 if there are two rows. */
        void check(Place place, int rows, int first, int tokens, int workers) throws Exception {
            int each = kind.heads() * kind.depth();
            float[] q = floats(random, rows * tokens * each).floats();
            int[] positions = new int[rows * tokens];
            int[] table = new int[rows * (place.blocks() / 2)];
            int mine = rows - 1;
            for (int row = 0; row < rows; row++) {
                for (int i = 0; i < tokens; i++) {
                    positions[row * tokens + i] = row == mine ? first + i : i % 3 == 2 ? -1 : 7 * i % place.capacity();
                }
                for (int i = 0; i < place.blocks() / 2; i++) {
                    table[row * (place.blocks() / 2) + i] = place.entry(i, row == mine ? 1 : 0);
                }
            }
            System.arraycopy(queries, first * each, q, mine * tokens * each, tokens * each);
            Builder b = Builder.with(TraceLimits.DEFAULT);
            Map<String, Tensor> in = new HashMap<>();
            Value query = slot(b, in, "q", Tensor.f32(Shape.of(rows, tokens, kind.heads(), kind.depth()), q));
            KeyValues.Pool k = KeyValues.Pool.of(b, slot(b, in, "k", pool(place, keys, kind.groups() * kind.depth())), kind.kv());
            KeyValues.Pool v = KeyValues.Pool.of(b, slot(b, in, "v", pool(place, values, kind.groups() * kind.width())), kind.kv());
            Value t = slot(b, in, "t", Tensor.i32(Shape.of(rows, place.blocks() / 2), table));
            Value p = slot(b, in, "p", Tensor.i32(Shape.of(rows, tokens), positions));
            float[] some = new float[kind.heads()];
            for (int i = 0; i < some.length; i++) {
                some[i] = 0.01f * (i + 1);
            }
            Tensor heads = Tensor.f32(Shape.of(kind.heads()), some);
            Optional<Value> slopes = kind.slopes() ? Optional.of(slot(b, in, "slopes", heads)) : Optional.empty();
            Optional<Value> sinks = kind.sinks() ? Optional.of(slot(b, in, "sinks", heads)) : Optional.empty();
            b.output("y", AttentionScores.attend(b, query, new KeyValues(k, v, t, place.block()), p,
                    new AttentionParams.Scores(0.3f, kind.cap(), kind.window()), slopes, sinks));
            try (Executor executor = new CpuExecutorProvider().open(new ExecutorOptions(workers))) {
                float[] y = GraphRun.run(b.finish(), Map.of(), in, executor).get("y").floats();
                int n = kind.heads() * kind.width();
                for (int i = 0; i < tokens; i++) {
                    same(kind + ", " + place + ", " + rows + " rows of " + tokens + " from " + first, first + i, y, (mine * tokens + i) * n, n);
                }
            }
        }

        private void same(String what, int position, float[] y, int at, int n) {
            if (results[position] == null) {
                results[position] = Arrays.copyOfRange(y, at, at + n);
                return;
            }
            for (int i = 0; i < n; i++) {
                assertEquals(Float.floatToRawIntBits(results[position][i]), Float.floatToRawIntBits(y[at + i]),
                        what + ", position " + position + ", element " + i + ": " + y[at + i] + ", not " + results[position][i]);
            }
        }
    }

    private static Value slot(Builder b, Map<String, Tensor> in, String name, Tensor t) throws TraceException {
        in.put(name, t);
        return b.slot(name, t.type());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void cached(Kind kind) throws Exception {
        Law law = new Law(kind);
        Place contiguous = new Place(LENGTH, LENGTH);
        List<Place> others = List.of(new Place(2416, 16), new Place(4096, 4096), new Place(LENGTH, 8));
        int[] ends = {1, 16, 63, 64, 65, 130, 256, 300, 513, 777, 1025, 2049, LENGTH};
        for (int end : ends) {
            law.check(contiguous, 1, end - 1, 1, 1);
        }
        for (int end : ends) {
            Place other = others.get(random.nextInt(others.size()));
            law.check(other, 1, end - 1, 1, 3);
            law.check(other, 2, end - 1, 1, 2);
            for (int tokens : new int[] {2, 3, 5, 17, 40, 90}) {
                int first = Math.max(0, end - 1 - random.nextInt(tokens));
                law.check(random.nextBoolean() ? contiguous : other, 1 + random.nextInt(2), first, Math.min(tokens, LENGTH - first), 2);
            }
        }
    }
}
