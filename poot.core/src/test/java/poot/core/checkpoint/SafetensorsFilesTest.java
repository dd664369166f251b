package poot.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.CheckpointException;
import poot.api.model.ConfigSource;
import poot.api.model.FamilyKey;
import poot.api.model.WeightStore;

class SafetensorsFilesTest {
    @TempDir
    private Path dir;

    @BeforeEach
    void config() throws IOException {
        Files.writeString(dir.resolve("config.json"), "{\"model_type\": \"llama\", \"limit\": Infinity}");
    }

    private Checkpoint open() throws CheckpointException {
        return Checkpoint.open(dir, new TestFormats());
    }

    private String refusal() throws CheckpointException {
        try (Checkpoint c = open()) {
            return assertThrows(CheckpointException.class, c::weights).getMessage();
        }
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        float[] a = {1, -2, 3.5f, 4, 5, Float.NaN};
        new SafetensorsWriter().metadata("format", "pt").floats("a", Shape.of(2, 3), a)
                .tensor("b", "BF16", Shape.of(2), TensorBody.bytes(new byte[] {(byte) 0x80, 0x3F, 0, 0x40}))
                .tensor("c", "F16", Shape.of(1), TensorBody.bytes(new byte[] {0, 0x3C}))
                .floats("none", Shape.of(0), new float[0])
                .floats("scalar", Shape.SCALAR, new float[] {7})
                .write(dir.resolve("model.safetensors"));
        try (Checkpoint c = open()) {
            assertEquals(ConfigSource.HF, c.source());
            assertEquals(FamilyKey.hf("llama"), c.key());
            assertEquals(Double.POSITIVE_INFINITY, c.config().raw("limit"));
            WeightStore weights = c.weights();
            assertSame(weights, c.weights());
            assertEquals(Set.of("a", "b", "c", "none", "scalar"), weights.names());
            float[] got = new float[6];
            Weight wa = weights.find("a").orElseThrow();
            wa.decode(0, 0, 3, got, 0);
            wa.decode(1, 0, 3, got, 3);
            assertArrayEquals(a, got);
            assertEquals(Shape.of(2, 3), wa.shape());
            assertEquals(Encoding.BF16, weights.find("b").orElseThrow().format().encoding());
            weights.find("b").orElseThrow().decode(0, 0, 2, got, 0);
            assertEquals(1f, got[0]);
            assertEquals(2f, got[1]);
            weights.close();
            assertThrows(IllegalStateException.class, () -> wa.decode(0, 0, 1, got, 0));
        }
        try (var files = Files.list(dir)) {
            assertEquals(2, files.count());
        }
    }

    @Test
    void aFailedWriteLeavesTheOldFile() throws Exception {
        Path file = dir.resolve("model.safetensors");
        new SafetensorsWriter().floats("a", Shape.of(1), new float[] {1}).write(file);
        byte[] before = Files.readAllBytes(file);
        SafetensorsWriter broken = new SafetensorsWriter().tensor("a", "F32", Shape.of(2), TensorBody.bytes(new byte[4]));
        assertTrue(assertThrows(IOException.class, () -> broken.write(file)).getMessage().contains("announced 8"));
        assertArrayEquals(before, Files.readAllBytes(file));
        try (var files = Files.list(dir)) {
            assertEquals(2, files.count());
        }
    }

    @Test
    void shards() throws Exception {
        new SafetensorsWriter().floats("a.weight", Shape.of(1), new float[] {1}).write(dir.resolve("m-1.safetensors"));
        new SafetensorsWriter().floats("b.weight", Shape.of(1), new float[] {2}).write(dir.resolve("m-2.safetensors"));
        Path index = dir.resolve("model.safetensors.index.json");
        Files.writeString(index, "{\"weight_map\": {\"a.weight\": \"m-1.safetensors\", \"b.weight\": \"m-2.safetensors\"}}");
        try (Checkpoint c = open()) {
            assertEquals(Set.of("a.weight", "b.weight"), c.weights().names());
        }
        Files.writeString(index, "{\"weight_map\": {\"a.weight\": \"m-2.safetensors\", \"b.weight\": \"m-1.safetensors\"}}");
        assertTrue(refusal().contains("tensor \"a.weight\": not in m-2.safetensors"));
        Files.writeString(index, "{\"weight_map\": {\"a.weight\": \"m-1.safetensors\", \"c.weight\": \"m-1.safetensors\"}}");
        assertTrue(refusal().contains("c.weight"));
        Files.copy(dir.resolve("m-1.safetensors"), dir.resolve("m-3.safetensors"));
        Files.writeString(index, "{\"weight_map\": {\"a.weight\": \"m-1.safetensors\", \"b.weight\": \"m-3.safetensors\"}}");
        assertTrue(refusal().contains("another shard holds it too"));
        for (String bad : Set.of("../m-1.safetensors", "/m-1.safetensors", "x/m-1.safetensors", "..", ".", "", "m-1.bin",
                "x\\\\m-1.safetensors", "c:m-1.safetensors", "\\u0000.safetensors", ".safetensors")) {
            Files.writeString(index, "{\"weight_map\": {\"a.weight\": \"" + bad + "\"}}");
            assertTrue(refusal().contains("plain name"), bad);
        }
    }

    @Test
    void theConfigurationIsReadBeforeAnyWeight() throws Exception {
        Files.writeString(dir.resolve("model.safetensors"), "not a tensor file");
        try (Checkpoint c = open()) {
            assertEquals(FamilyKey.hf("llama"), c.key());
            assertThrows(CheckpointException.class, c::weights);
        }
    }

    @Test
    void otherWeightFilesAreNamed() throws Exception {
        Files.writeString(dir.resolve("pytorch_model.bin"), "");
        assertTrue(refusal().contains("pytorch_model.bin is not read"));
    }

    @Test
    void sideFiles() throws Exception {
        Files.writeString(dir.resolve("generation_config.json"), "{\"eos_token_id\": [1, 2]}");
        Files.writeString(dir.resolve("chat_template.jinja"), "{{ messages }}");
        Files.writeString(dir.resolve("modules.json"), "[{\"idx\": 0}]");
        Files.createDirectory(dir.resolve("1_Pooling"));
        Files.writeString(dir.resolve("1_Pooling/config.json"), "{\"pooling_mode_mean_tokens\": true}");
        try (Checkpoint c = open()) {
            SideFiles files = c.files();
            assertTrue(files.generationConfig().orElseThrow().containsKey("eos_token_id"));
            assertEquals(1, c.config().companion("modules.json").orElseThrow().list("items").size());
            assertTrue(c.config().companion("1_Pooling/config.json").orElseThrow().flag("pooling_mode_mean_tokens", false));
            assertEquals(2, c.config().companion("generation_config.json").orElseThrow().list("eos_token_id").size());
            assertEquals("{{ messages }}", files.chatTemplate().orElseThrow());
            assertEquals(1, files.modules().orElseThrow().size());
            assertEquals(true, files.pooling().orElseThrow().get("pooling_mode_mean_tokens"));
            assertFalse(files.tokenizer().isPresent());
            assertFalse(files.tokenizerConfig().isPresent());
            assertFalse(files.specialTokens().isPresent());
        }
    }

    /** A tensor of 8 GiB in a file without blocks on disk: opening touches the header's pages alone. */
    @Test
    void openingTouchesNoTensorData() throws Exception {
        Path status = Path.of("/proc/self/statm");
        Assumptions.assumeTrue(Files.exists(status), "resident memory is read from " + status);
        long bytes = 8L << 30;
        String header = "{\"a.weight\":{\"dtype\":\"BF16\",\"shape\":[1048576,4096],\"data_offsets\":[0," + bytes + "]}}";
        try (RandomAccessFile file = new RandomAccessFile(dir.resolve("model.safetensors").toFile(), "rw")) {
            file.write(header.length());
            file.write(new byte[7]);
            file.write(header.getBytes(StandardCharsets.US_ASCII));
            file.setLength(8 + header.length() + bytes);
        }
        long before = sharedPages(status);
        try (Checkpoint c = open()) {
            assertEquals(bytes, c.weights().find("a.weight").orElseThrow().parts().getFirst().byteSize());
            assertTrue(sharedPages(status) - before < 1024, "file pages made resident: " + (sharedPages(status) - before));
        }
    }

    /** Resident pages backed by files. */
    private static long sharedPages(Path statm) throws IOException {
        return Long.parseLong(Files.readString(statm).split(" ")[2]);
    }
}
