package poot.parity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.graph.ElementType;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.fixtures.Fixture;
import poot.step.Backend;
import poot.step.Serving;

/** On the CPU a cache in scattered blocks gives the bits of a contiguous one: windows, distances and narrow elements too. */
class PagedParityTest {
    private static final int ROWS = 3;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"llama, F32", "mistral, F16", "gemma2, F32", "gemma2, BF16", "gemma3, F32", "bloom, F32", "mpt, F16"})
    void blocksGiveTheBitsOfRows(String family, ElementType kv) throws Exception {
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
}
