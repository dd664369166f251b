package poot.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.graph.Encoding;
import poot.api.model.KvLayout;
import poot.api.model.StepShape;
import poot.families.Families;
import poot.step.Backend;
import poot.step.Chunk;
import poot.step.ExecutorSession;
import poot.step.OracleSession;
import poot.step.Session;

/**
 * Hugging Face checkpoints whose linear layers are GPTQ, AWQ or FP8, end to end against transformers over weights that
 * were dequantized apart from poot; the resources' README says how.
 */
class GoldenPackedTest {
    private static Executor executor;

    @BeforeAll
    static void open() throws ExecutorException {
        executor = Backend.CPU.open();
    }

    @AfterAll
    static void close() {
        executor.close();
    }

    @ParameterizedTest
    @CsvSource({"gptq, GPTQ_4", "gptq-ordered, GPTQ_4", "awq, AWQ_4", "fp8-channel, FP8_CHANNEL", "fp8-block, FP8_BLOCK"})
    void everyPosition(String name, Encoding packed) throws Exception {
        Path directory = Path.of(GoldenPackedTest.class.getResource("/packed/" + name).toURI());
        Safetensors golden = Safetensors.read(directory.resolve("golden.safetensors"));
        int[] ids = new int[golden.entry("ids").shape().dim(0)];
        ByteBuffer.wrap(golden.entry("ids").bytes()).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(ids);
        float[] logits = golden.entry("logits").floats();
        StepShape base = StepShape.step(1, 1, 32).withLayout(new KvLayout.Contiguous(1));
        try (OpenModel m = OpenModel.open(directory, Families.registry());
                Session oracle = new OracleSession(m.model(), m.weights(), base);
                Session cpu = new ExecutorSession(m.model(), m.weights(), base, executor)) {
            Map<Encoding, Long> encodings = m.weights().values().stream()
                    .collect(Collectors.groupingBy(w -> w.format().encoding(), Collectors.counting()));
            assertEquals(2L * 7, encodings.get(packed), "packed linear layers: " + encodings);
            near(logits, oracle.stepAll(new Chunk(0, 0, ids)), 0, "the oracle");
            near(logits, cpu.stepAll(new Chunk(0, 0, ids)), 0, "the CPU, one step");
            for (int i = 0; i < ids.length; i++) {
                near(logits, cpu.stepAll(Chunk.of(0, ids, i, i + 1)), i, "the CPU, token by token");
            }
        }
    }

    private static void near(float[] expected, float[][] rows, int first, String what) {
        for (int t = 0; t < rows.length; t++) {
            int width = rows[t].length;
            int at = (first + t) * width;
            GoldenRuns.near(Arrays.copyOfRange(expected, at, at + width), rows[t], what + ", position " + (first + t));
        }
    }
}
