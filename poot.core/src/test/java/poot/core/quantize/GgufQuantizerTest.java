package poot.core.quantize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.WeightStore;
import poot.core.checkpoint.Checkpoint;
import poot.core.checkpoint.GgufWriter;
import poot.core.checkpoint.TensorBody;
import poot.core.driver.StoredFormats;
import poot.core.quant.Packer;

/** A checkpoint written anew says the same in another format. */
class GgufQuantizerTest {
    private static final Map<String, Shape> TENSORS = Map.of("wide.weight", Shape.of(3, 512), "even.weight", Shape.of(2, 5, 64),
            "odd.weight", Shape.of(4, 172), "some_norm.weight", Shape.of(512), "ffn_gate_inp.weight", Shape.of(4, 256));

    @TempDir
    private Path dir;
    private Path original;

    @BeforeEach
    void write() throws IOException {
        original = dir.resolve("original.gguf");
        GgufWriter writer = new GgufWriter().text("general.architecture", "llama").u32("general.file_type", 1)
                .u32("a.count", 4_000_000_000L).i32("a.negative", -7).u64("a.long", 1L << 40).f32("a.float", 1e-5f)
                .flag("a.flag", true).texts("a.texts", List.of("x", "y")).texts("a.none", List.of())
                .integers("a.integers", 3, -1).floats("a.floats", 0.5f, 0.1f);
        TENSORS.forEach((name, shape) -> writer.tensor(name, Encoding.F32, shape, TensorBody.floats(values(name, shape))));
        writer.write(original);
    }

    private static float[] values(String name, Shape shape) {
        Random random = new Random(name.hashCode());
        float[] out = new float[(int) shape.count()];
        for (int i = 0; i < out.length; i++) {
            out[i] = (float) random.nextGaussian();
        }
        return out;
    }

    @ParameterizedTest
    @EnumSource(Packer.class)
    void everyTensorIsThePackedOriginal(Packer packer) throws Exception {
        Path file = dir.resolve("packed.gguf");
        try (Checkpoint from = Checkpoint.open(original, new StoredFormats())) {
            Map<Encoding, Long> packed = GgufQuantizer.write(from, packer, file);
            assertEquals(3 * 512 + 640 + 4 * 172, packed.values().stream().mapToLong(n -> n).sum());
            assertEquals(packer == Packer.BF16 ? 0 : packer == Packer.F16 ? 2864L : 688L, packed.getOrDefault(Encoding.F16, 0L));
        }
        try (Checkpoint back = Checkpoint.open(file, new StoredFormats())) {
            WeightStore weights = back.weights();
            assertEquals(TENSORS.keySet(), weights.names());
            for (String name : TENSORS.keySet()) {
                Weight w = weights.find(name).orElseThrow();
                assertEquals(TENSORS.get(name), w.shape());
                float[] stored = values(name, w.shape());
                boolean kept = name.contains("norm") || name.contains("gate_inp");
                assertEquals(kept ? Encoding.F32 : packer.fitting(w.columns()).encoding(), w.format().encoding(), name);
                if (kept) {
                    float[] row = new float[w.columns()];
                    w.decode(0, 0, row.length, row, 0);
                    assertArrayEquals(Arrays.copyOf(stored, row.length), row, name);
                } else {
                    byte[] bytes = w.parts().getFirst().toArray(ValueLayout.JAVA_BYTE);
                    assertArrayEquals(packer.fitting(w.columns()).pack(stored), bytes, name);
                }
            }
        }
    }

    @Test
    void metadataIsCopied() throws Exception {
        Path file = dir.resolve("packed.gguf");
        try (Checkpoint from = Checkpoint.open(original, new StoredFormats())) {
            GgufQuantizer.write(from, Packer.Q8_0, file);
            try (Checkpoint back = Checkpoint.open(file, new StoredFormats())) {
                assertFalse(back.config().has("general.file_type"));
                for (String key : from.config().keys()) {
                    if (!key.equals("general.file_type")) {
                        assertEquals(from.config().raw(key), back.config().raw(key), key);
                    }
                }
            }
        }
    }

    @Test
    void otherCheckpointsAreRefused() throws Exception {
        Path directory = Files.createDirectory(dir.resolve("hf"));
        Files.writeString(directory.resolve("config.json"), "{\"model_type\": \"llama\"}");
        try (Checkpoint from = Checkpoint.open(directory, new StoredFormats())) {
            assertThrows(IllegalArgumentException.class, () -> GgufQuantizer.write(from, Packer.Q8_0, dir.resolve("x.gguf")));
        }
        assertThrows(IllegalArgumentException.class, () -> new GgufWriter().value("key", List.of(Map.of())));
    }
}
