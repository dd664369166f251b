package poot.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import poot.api.graph.Weight;
import poot.api.model.CheckpointException;

/** Every golden checkpoint opens in both its forms, and both hold the same embedding. */
class GoldenCheckpointsTest {
    private static final List<String> EMBEDDINGS = List.of("model.embed_tokens.weight", "transformer.wte.weight",
            "embeddings.word_embeddings.weight", "bert.embeddings.word_embeddings.weight", "transformer.word_embeddings.weight",
            "word_embeddings.weight", "backbone.embeddings.weight", "model.language_model.embed_tokens.weight");

    @Test
    void bothFormsHoldTheSameEmbedding() throws Exception {
        Path golden = SharedData.require("golden");
        int compared = 0;
        try (var dirs = Files.list(golden)) {
            for (Path dir : dirs.filter(d -> Files.exists(d.resolve("model.gguf"))).sorted().toList()) {
                try (Checkpoint hf = Checkpoint.open(dir, new TestFormats());
                        Checkpoint gguf = Checkpoint.open(dir.resolve("model.gguf"), new TestFormats())) {
                    assertFalse(gguf.weights().names().isEmpty());
                    Weight stored = embedding(hf);
                    Weight other = gguf.weights().find("token_embd.weight").orElseThrow();
                    assertEquals(stored.shape(), other.shape(), dir.toString());
                    assertArrayEquals(values(stored), values(other), dir.toString());
                    compared++;
                }
            }
        }
        assertEquals(33, compared);
    }

    private static Weight embedding(Checkpoint hf) throws CheckpointException {
        for (String name : EMBEDDINGS) {
            var found = hf.weights().find(name);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new AssertionError("no embedding among " + hf.weights().names());
    }

    private static float[] values(Weight w) {
        int rows = w.shape().dim(0);
        int columns = w.columns();
        float[] out = new float[rows * columns];
        for (int r = 0; r < rows; r++) {
            w.decode(r, 0, columns, out, r * columns);
        }
        return out;
    }
}
