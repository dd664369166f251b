package poot.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.acceptance.Repository;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.model.KvForm;
import poot.api.model.KvLayout;
import poot.api.model.StepShape;
import poot.backend.cpu.CpuExecutorProvider;
import poot.families.Families;
import poot.fixtures.Fixture;
import poot.golden.OpenModel;
import poot.step.Chunk;
import poot.step.ExecutorSession;

/**
 * On the CPU the logits of a position are a function of the model, the tokens up to it and the cache's form: the
 * same bits however the text was cut into steps, whoever shared them, padded or not, whether all logits were asked for or
 * the last, wherever the cache lay, and with any number of workers.
 */
class StepShapesTest {
    private static final int[] CUTS = {1, 2, 3, 5, 7, 11, 17, 33, 65};

    private final Random random = new Random(3);

    /** Every position's logits, as they are found; the first found are law. */
    private static final class Law {
        private final String what;
        private final float[][] logits;

        Law(String what, int positions) {
            this.what = what;
            this.logits = new float[positions][];
        }

        void check(String how, int position, float[] found) {
            if (logits[position] == null) {
                logits[position] = found;
                return;
            }
            for (int i = 0; i < found.length; i++) {
                assertEquals(Float.floatToRawIntBits(logits[position][i]), Float.floatToRawIntBits(found[i]),
                        what + ", " + how + ", position " + position + ", token " + i + ": " + found[i] + ", not " + logits[position][i]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma2", "bloom", "mpt", "qwen3", "mistral", "phi3-long"})
    void denseWeights(String name, @TempDir Path directory) throws Exception {
        check(name, new Fixture(name).write(directory), 100, List.of(KvForm.F32, KvForm.F16));
    }

    @ParameterizedTest
    @ValueSource(strings = {"poot-tiny-q8_0.gguf", "poot-tiny-f16.gguf"})
    void storedWeights(String file) throws Exception {
        check(file, Repository.demoModel().resolve(file), 90, List.of(KvForm.F32, KvForm.F16, KvForm.Q8_0));
    }

    private void check(String what, Path path, int length, List<KvForm> forms) throws Exception {
        try (OpenModel m = OpenModel.open(path, Families.registry())) {
            int vocabulary = m.model().config().vocabulary();
            int[] text = random.ints(length, 1, vocabulary).toArray();
            int[] other = random.ints(length, 1, vocabulary).toArray();
            for (KvForm kv : forms) {
                Law law = new Law(what + " over " + kv, length);
                StepShape contiguous = StepShape.step(1, 1, 128).withLayout(new KvLayout.Contiguous(3)).withKv(kv);
                StepShape paged = StepShape.step(1, 1, 256).withLayout(new KvLayout.Paged(3 * 16, 16, 3)).withKv(kv);
                alone(law, m, contiguous, 1, text);
                beside(law, m, paged, 3, text, other);
                if (kv == KvForm.F32) {
                    alone(law, m, paged, 3, text);
                    beside(law, m, contiguous, 1, text, other);
                }
            }
        }
    }

    private static Executor open(int workers) throws ExecutorException {
        return new CpuExecutorProvider().open(new ExecutorOptions(workers));
    }

    /** The text whole, token by token, and in pieces of odd sizes. */
    private void alone(Law law, OpenModel m, StepShape base, int workers, int[] text) throws Exception {
        try (Executor executor = open(workers); ExecutorSession s = new ExecutorSession(m.model(), m.weights(), base, executor)) {
            String where = " alone over " + base.layout();
            all(law, "whole" + where, s, 0, text, 0, text.length);
            for (int at = 0; at < text.length; at++) {
                all(law, "token by token" + where, s, 1, text, at, at + 1);
            }
            for (int at = 0, end; at < text.length; at = end) {
                end = Math.min(text.length, at + CUTS[random.nextInt(CUTS.length)]);
                all(law, "in pieces" + where, s, 2, text, at, end);
            }
        }
    }

    private static void all(Law law, String how, ExecutorSession s, int sequence, int[] text, int from, int to) throws Exception {
        float[][] logits = s.stepAll(Chunk.of(sequence, text, from, to));
        for (int i = from; i < to; i++) {
            law.check(how + " [" + from + ", " + to + ")", i, logits[i - from]);
        }
    }

    /** Two copies of the text and another one, all cut otherwise, in padded steps of all of them. */
    private void beside(Law law, OpenModel m, StepShape base, int workers, int[] text, int[] other) throws Exception {
        try (Executor executor = open(workers); ExecutorSession s = new ExecutorSession(m.model(), m.weights(), base, executor)) {
            int[][] texts = {text, other, text};
            int[] at = new int[3];
            for (int step = 0; at[0] < text.length || at[2] < text.length; step++) {
                Chunk[] chunks = new Chunk[3];
                for (int row = 0; row < 3; row++) {
                    int count = Math.min(texts[row].length - at[row], step % 4 == 3 ? 1 : CUTS[random.nextInt(5)]);
                    chunks[row] = count > 0 ? Chunk.of(row, texts[row], at[row], at[row] + count)
                            : new Chunk(row, texts[row].length, texts[row][0]);
                }
                boolean last = step % 2 == 0;
                int longest = Arrays.stream(chunks).mapToInt(c -> c.tokens().length).max().orElseThrow();
                float[][] logits = last ? s.step(chunks) : s.step(
                        base.withRows(3).withTokens(longest).withLogits(StepShape.Logits.ALL), List.of(chunks), Map.of());
                for (int row = 0; row < 3; row++) {
                    int count = chunks[row].tokens().length;
                    for (int i = last ? count - 1 : 0; i < count && row != 1 && at[row] < text.length; i++) {
                        law.check("row " + row + " of step " + step + " over " + base.layout() + (last ? ", the last" : ", all"),
                                at[row] + i, logits[last ? row : row * longest + i]);
                    }
                    at[row] = Math.min(texts[row].length, at[row] + count);
                }
            }
        }
    }
}
