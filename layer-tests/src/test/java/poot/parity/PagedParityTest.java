package poot.parity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import poot.acceptance.Repository;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.model.KvForm;
import poot.backend.cpu.emit.Emitter;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.fixtures.Fixture;
import poot.golden.OpenModel;
import poot.step.Backend;
import poot.step.Serving;

/** On the CPU a cache in scattered blocks gives the bits of a contiguous one: windows, distances and narrow elements too. */
class PagedParityTest {
    private static final int ROWS = 3;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"llama, F32", "mistral, F16", "gemma2, F32", "gemma2, BF16", "gemma3, F32", "bloom, F32", "mpt, F16"})
    void blocksGiveTheBitsOfRows(String family, KvForm kv) throws Exception {
        DriverOptions options = DriverOptions.DEFAULT.withRows(ROWS).withCapacity(60).withPrefillChunk(24).withKv(kv)
                .withHeads(EnumSet.of(HeadKind.GREEDY, HeadKind.LOGITS));
        try (ModelHandle handle = ModelHandle.load(new Fixture(family).write(directory), Families.registry(), new LoadOptions(LoadOptions.Text.NONE));
                Executor executor = Backend.CPU.open();
                ServingDriver rows = Serving.open(handle, executor, options);
                ServingDriver blocks = Serving.open(handle, executor, options.withPool(40, 4, false));
                ServingDriver pool = Serving.open(handle, executor, options.withPool(12, 16, true))) {
            int vocabulary = rows.config().vocabulary();
            List<SeqRequest> requests = new ArrayList<>();
            for (int length : new int[] {37, 1, 20}) {
                requests.add(SeqRequest.of(new Random(length).ints(length, 3, vocabulary).toArray()).withLogits());
            }
            List<float[]> expected = together(rows, requests, 7);
            same(expected, together(blocks, requests, 7));
            same(expected, together(pool, requests, 7));
            same(together(rows, requests, 100), together(blocks, requests, 100));
            blocks.checkIntegrity();
            pool.checkIntegrity();
            reused(rows, pool, requests.getFirst().prompt());
        }
    }

    /** The logits of rows fed side by side, so that their blocks lie between each other's, and of 20 tokens more. */
    private static List<float[]> together(ServingDriver d, List<SeqRequest> requests, int atMost) throws Exception {
        List<Sequence> open = new ArrayList<>();
        for (SeqRequest r : requests) {
            open.add(d.open(r));
        }
        List<float[]> out = new ArrayList<>(Serving.logits(d, open, atMost));
        for (int i = 0; i < 20; i++) {
            for (int row = 0; row < open.size(); row++) {
                d.commit(open.get(row), 3 + (7 * i + row) % (d.config().vocabulary() - 3));
            }
            out.addAll(Serving.logits(d, open, atMost));
        }
        open.forEach(d::release);
        return out;
    }

    private static void same(List<float[]> expected, List<float[]> got) {
        assertEquals(expected.size(), got.size());
        for (int i = 0; i < expected.size(); i++) {
            assertArrayEquals(expected.get(i), got.get(i), "row " + i % ROWS + " of step " + i / ROWS);
        }
    }

    /** A beginning found in the cache goes on as the whole prompt does. */
    private static void reused(ServingDriver rows, ServingDriver pool, int[] prompt) throws Exception {
        GenerateLimits limits = new GenerateLimits(16, Set.of());
        int[] expected = rows.generate(SeqRequest.of(prompt), limits, t -> true).tokens();
        for (int length : new int[] {prompt.length, 33, 32}) {
            int[] cut = Arrays.copyOf(prompt, length);
            float[] cold = Serving.logits(rows, SeqRequest.of(cut), 100);
            Sequence s = pool.open(SeqRequest.of(cut).withLogits());
            assertTrue(s.reused() >= Math.min(32, length - 1), s.reused() + " tokens of " + length);
            assertArrayEquals(cold, Serving.logits(pool, List.of(s), 100).getFirst(), 2e-5f);
            pool.release(s);
        }
        assertArrayEquals(expected, pool.generate(SeqRequest.of(prompt), limits, t -> true).tokens());
        pool.checkIntegrity();
    }

    /**
     * A trained model over a pool so small that rows are suspended again and again, and begin alike: each continues with the
     * ids it has alone over rows of their own.
     */
    @ParameterizedTest
    @CsvSource({"poot-tiny-f16.gguf, F32", "poot-tiny-q8_0.gguf, F32", "poot-tiny-q8_0.gguf, Q8_0"})
    void aTrainedModelGoesOnAsAlone(String file, KvForm kv) throws Exception {
        DriverOptions options = DriverOptions.DEFAULT.withRows(4).withCapacity(160).withPrefillChunk(32).withKv(kv)
                .withHeads(EnumSet.of(HeadKind.GREEDY, HeadKind.LOGITS));
        try (OpenModel m = OpenModel.open(Repository.demoModel().resolve(file), Families.registry()); Executor executor = Backend.CPU.open();
                ServingDriver alone = Serving.open(m.handle(), executor, options.withRows(1));
                ServingDriver d = Serving.open(m.handle(), executor, options.withPool(11, 16, true))) {
            int vocabulary = d.config().vocabulary();
            int[] common = new Random(3).ints(40, 3, vocabulary).toArray();
            List<SeqRequest> requests = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int[] own = new Random(i).ints(1 + 9 * i, 3, vocabulary).toArray();
                requests.add(SeqRequest.of(i % 2 == 0 ? own : IntStream.concat(IntStream.of(common), IntStream.of(own)).toArray()));
            }
            List<int[]> got = crowded(d, requests, 24);
            for (int i = 0; i < requests.size(); i++) {
                assertArrayEquals(alone.generate(requests.get(i), new GenerateLimits(24, Set.of()), t -> true).tokens(), got.get(i), "request " + i);
            }
            assertTrue(d.cache().hits() > 50, d.cache().toString());
            assertEquals(0, d.cache().used());
            bitsOfABeginning(alone, d, new Random(2).ints(150, 3, vocabulary).toArray());
            bitsOfARewound(alone, d, new Random(2).ints(150, 3, vocabulary).toArray());
        }
    }

    /** A sequence rewound into a block that is registered goes on in a copy; what is registered stays as it was. */
    private static void bitsOfARewound(ServingDriver alone, ServingDriver d, int[] prompt) throws Exception {
        boolean one = Emitter.probe().simd().isPresent();
        Sequence s = d.open(SeqRequest.of(prompt).withLogits());
        Serving.logits(d, List.of(s), 32);
        d.rewind(s, 71);
        int[] other = Arrays.copyOf(prompt, 72);
        other[71] = prompt[71] == 3 ? 4 : 3;
        d.commit(s, other[71]);
        float[] cold = Serving.logits(alone, SeqRequest.of(other), 32);
        assertArrayEquals(cold, Serving.logits(d, List.of(s), 32).getFirst(), one ? Float.MIN_VALUE : 1e-4f);
        d.release(s);
        d.checkIntegrity();
        Sequence again = d.open(SeqRequest.of(prompt).withLogits());
        assertTrue(again.reused() >= 80, again.reused() + " tokens");
        cold = Serving.logits(alone, SeqRequest.of(prompt), 32);
        assertArrayEquals(cold, Serving.logits(d, List.of(again), 32).getFirst(), one ? Float.MIN_VALUE : 1e-4f);
        d.release(again);
    }

    /** Where emitted kernels multiply, which add up a row's products in one order, a warm prompt gives a cold one's bits. */
    private static void bitsOfABeginning(ServingDriver alone, ServingDriver d, int[] prompt) throws Exception {
        boolean one = Emitter.probe().simd().isPresent();
        Serving.logits(d, SeqRequest.of(prompt), 32);
        for (int length : new int[] {prompt.length, 77, 64, 31}) {
            int[] cut = Arrays.copyOf(prompt, length);
            Sequence s = d.open(SeqRequest.of(cut).withLogits());
            assertEquals(Math.min(prompt.length / 16 * 16, length - 1), s.reused());
            float[] cold = Serving.logits(alone, SeqRequest.of(cut), 32);
            assertArrayEquals(cold, Serving.logits(d, List.of(s), 32).getFirst(), one ? Float.MIN_VALUE : 1e-4f, length + " tokens");
            d.release(s);
        }
    }

    /** All requests, as many at once as there are rows; where the pool is dry a row suspends the youngest, or waits. */
    private static List<int[]> crowded(ServingDriver d, List<SeqRequest> requests, int count) throws Exception {
        List<List<Integer>> out = new ArrayList<>();
        List<Sequence> all = new ArrayList<>();
        List<Sequence> open = new ArrayList<>();
        int suspended = 0;
        while (all.size() < requests.size() || !open.isEmpty()) {
            while (d.freeRows() > 0 && all.size() < requests.size()) {
                open.add(d.open(requests.get(all.size())));
                all.add(open.getLast());
                out.add(new ArrayList<>());
            }
            List<RowWork> work = new ArrayList<>();
            for (int i = 0; i < open.size(); i++) {
                int last = open.size() - 1;
                boolean ready = d.reserve(open.get(i), 32);
                for (; !ready && last > i; last--) {
                    d.suspend(open.get(last));
                    suspended++;
                    ready = d.reserve(open.get(i), 32);
                }
                if (ready) {
                    work.add(RowWork.of(open.get(i)));
                }
            }
            for (RowResult r : d.step(work)) {
                if (r instanceof RowResult.Picked p) {
                    List<Integer> ids = out.get(all.indexOf(p.sequence()));
                    ids.add(p.pick().token());
                    d.commit(p.sequence(), p.pick().token());
                    if (ids.size() == count) {
                        d.release(p.sequence());
                        open.remove(p.sequence());
                    }
                } else {
                    assertInstanceOf(RowResult.Fed.class, r, r.toString());
                }
            }
            d.checkIntegrity();
        }
        assertTrue(suspended > 5, suspended + " times a row was suspended");
        return out.stream().map(ids -> ids.stream().mapToInt(t -> t).toArray()).toList();
    }
}
