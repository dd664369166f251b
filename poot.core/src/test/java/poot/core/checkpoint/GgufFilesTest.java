package poot.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.CheckpointException;
import poot.api.model.ConfigSource;
import poot.api.model.FamilyKey;
import poot.api.model.RawConfig;

class GgufFilesTest {
    @TempDir
    private Path dir;

    private static Checkpoint open(Path path) throws CheckpointException {
        return Checkpoint.open(path, new TestFormats());
    }

    private static String refusal(Path path) {
        return assertThrows(CheckpointException.class, () -> {
            try (Checkpoint c = open(path)) {
                c.weights();
            }
        }).getMessage();
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        Path file = dir.resolve("x.gguf");
        new GgufWriter().text("general.architecture", "llama").u32("u32", 0xFFFF_FFFFL).i32("i32", -1).u16("u16", 65535)
                .u64("u64", -1).u64("long", Long.MAX_VALUE).f32("f32", 0.5f).flag("yes", true)
                .texts("texts", List.of("", "\u00e9\uFFFD\uD83D\uDE00")).integers("ints", -1, 2).floats("floats", 0.25f, -1)
                .tensor("a", Encoding.F32, Shape.of(2, 3), TensorBody.floats(new float[] {1, 2, 3, 4, 5, 6}))
                .tensor("q", Encoding.Q8_0, Shape.of(1, 3, 64), TensorBody.bytes(new byte[204]))
                .write(file);
        try (Checkpoint c = open(file)) {
            RawConfig config = c.config();
            assertEquals(ConfigSource.GGUF, c.source());
            assertEquals(FamilyKey.gguf("llama"), c.key());
            assertEquals(4294967295L, config.raw("u32"));
            assertEquals(-1L, config.raw("i32"));
            assertEquals(65535L, config.raw("u16"));
            assertEquals(1.8446744073709552e19, config.raw("u64"));
            assertEquals(Long.MAX_VALUE, config.raw("long"));
            assertEquals(0.5, config.number("f32"));
            assertEquals(true, config.flag("yes", false));
            assertEquals(List.of("", "\u00e9\uFFFD\uD83D\uDE00"), config.list("texts"));
            assertEquals(List.of(-1L, 2L), config.list("ints"));
            assertArrayEquals(new double[] {0.25, -1}, config.numbers("floats"));
            Weight a = c.weights().find("a").orElseThrow();
            float[] row = new float[3];
            a.decode(1, 0, 3, row, 0);
            assertArrayEquals(new float[] {4, 5, 6}, row);
            Weight q = c.weights().find("q").orElseThrow();
            assertEquals(Shape.of(1, 3, 64), q.shape());
            assertEquals(Encoding.Q8_0, q.format().encoding());
            assertEquals(204, q.parts().getFirst().byteSize());
            assertTrue(c.files().tokenizer().isEmpty());
        }
        try (Checkpoint c = open(dir)) {
            assertEquals(Set.of("a", "q"), c.weights().names());
        }
        Files.copy(file, dir.resolve("y.gguf"));
        assertTrue(refusal(dir).contains("several GGUF checkpoints"));
    }

    private Path shard(int no, int count, int claimedNo, int total, String tensor) throws Exception {
        Path file = dir.resolve(String.format("m-%05d-of-%05d.gguf", no, count));
        GgufWriter writer = new GgufWriter().u16("split.no", claimedNo).u16("split.count", count).i32("split.tensors.count", total);
        if (no == 1) {
            writer.text("general.architecture", "llama");
        } else {
            writer.tensor(tensor, Encoding.F32, Shape.of(1), TensorBody.floats(new float[] {no}));
        }
        writer.write(file);
        return file;
    }

    @Test
    void anyShardNamesTheSet() throws Exception {
        List<Path> shards = List.of(shard(1, 3, 0, 2, ""), shard(2, 3, 1, 2, "a"), shard(3, 3, 2, 2, "b"));
        for (Path shard : List.of(shards.get(0), shards.get(1), shards.get(2), dir)) {
            try (Checkpoint c = open(shard)) {
                assertEquals(FamilyKey.gguf("llama"), c.key());
                assertEquals(Set.of("a", "b"), c.weights().names());
            }
        }
        shard(3, 3, 1, 2, "b");
        assertTrue(refusal(shards.get(0)).contains("split.no"));
        shard(3, 3, 2, 3, "a");
        assertTrue(refusal(shards.get(0)).contains("another file of the set"));
        Files.delete(shards.get(2));
        assertTrue(refusal(shards.get(0)).contains("m-00003-of-00003.gguf: not found"));
        shard(1, 3, 0, 5, "");
        shard(3, 3, 2, 5, "b");
        assertTrue(refusal(shards.get(1)).contains("split.tensors.count\": is 5"));
    }

    @Test
    void aShardUnderAnotherNameIsRefused() throws Exception {
        Path renamed = Files.move(shard(2, 3, 1, 2, "a"), dir.resolve("x.gguf"));
        assertTrue(refusal(renamed).contains("split.count"));
        Path single = dir.resolve("m-00001-of-00002.gguf");
        new GgufWriter().text("general.architecture", "llama")
                .tensor("a", Encoding.F32, Shape.of(1), TensorBody.floats(new float[1])).write(single);
        assertTrue(refusal(single).contains("split.count"));
    }

    @Test
    void everyEncodingOfTheFormatHasItsNumber() throws Exception {
        Path manifest = SharedData.require("golden/quant/manifest.json");
        var types = (Map<?, ?>) poot.core.json.Json.tree(manifest, poot.core.json.JsonLimits.CONFIG).get("types");
        assertEquals(28, types.size());
        types.forEach((name, facts) -> {
            var f = (Map<?, ?>) facts;
            Encoding e = GgmlTypes.encoding((int) (long) (Long) f.get("ggml_type")).orElseThrow();
            assertEquals(((String) name).toUpperCase(Locale.ROOT), e.name());
            assertEquals(f.get("block"), (long) e.blockElements());
            assertEquals(f.get("bytes_per_block"), (long) e.blockBytes());
            assertEquals(f.get("ggml_type"), (long) GgmlTypes.id(e).orElseThrow());
        });
    }
}
