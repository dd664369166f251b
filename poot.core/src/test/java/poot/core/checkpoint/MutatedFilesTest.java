package poot.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;

/**
 * Thousands of seeded mutations of small valid files, each opened in 64 MiB of heap: refused with a typed error or
 * opened, never anything else, none slower than a second.
 */
class MutatedFilesTest {
    private static final String INDEX = """
            {"metadata": {"total_size": 96}, "weight_map": {"a.weight": "model-1.safetensors", "b.weight": "model-2.safetensors"}}
            """;
    private static final String CONFIG = """
            {"model_type": "llama", "hidden_size": 8, "quantization_config": {"quant_method": "compressed-tensors",
            "format": "float-quantized", "ignore": ["lm_head"], "config_groups": {"group_0": {"targets": ["Linear"], "weights":
            {"num_bits": 8, "type": "float", "strategy": "channel", "symmetric": true, "dynamic": false}}}}}
            """;

    @TempDir
    private Path temp;

    @Test
    void gguf() throws Exception {
        Path valid = temp.resolve("valid.bin");
        new GgufWriter().text("general.architecture", "llama").u32("llama.block_count", 1).u64("a", 1).flag("b", true)
                .f32("c", 1e-5f).texts("tokenizer.ggml.tokens", List.of("a", "b\u00e9", "")).integers("d", 1, 2, 3)
                .floats("e", 1, 2).tensor("token_embd.weight", Encoding.F32, Shape.of(3, 8), TensorBody.floats(new float[24]))
                .tensor("blk.0.attn_q.weight", Encoding.Q8_0, Shape.of(2, 32), TensorBody.bytes(new byte[68]))
                .tensor("output_norm.weight", Encoding.F16, Shape.of(8), TensorBody.bytes(new byte[16])).write(valid);
        Path mutant = temp.resolve("mutant.gguf");
        run("binary", valid, mutant, mutant, 2000);
    }

    @Test
    void sharedGguf() throws Exception {
        Path mutant = temp.resolve("mutant.gguf");
        run("binary", SharedData.require("golden/malformed/gguf/valid.gguf"), mutant, mutant, 2000);
    }

    @Test
    void safetensors() throws Exception {
        Files.writeString(temp.resolve("config.json"), CONFIG);
        Path valid = temp.resolve("valid.bin");
        new SafetensorsWriter().metadata("format", "pt").floats("a.weight", Shape.of(3, 4), new float[12])
                .tensor("b.weight", "F8_E4M3", Shape.of(4, 4), TensorBody.bytes(new byte[16]))
                .floats("b.weight_scale", Shape.of(4, 1), new float[4])
                .tensor("ids", "I64", Shape.of(2), TensorBody.bytes(new byte[16])).write(valid);
        run("safetensors", valid, temp.resolve("model.safetensors"), temp, 1500);
    }

    @Test
    void indexAndConfig() throws Exception {
        new SafetensorsWriter().floats("a.weight", Shape.of(3, 4), new float[12]).write(temp.resolve("model-1.safetensors"));
        new SafetensorsWriter().floats("b.weight", Shape.of(3, 4), new float[12]).write(temp.resolve("model-2.safetensors"));
        Path config = temp.resolve("config.json");
        Path validConfig = Files.writeString(temp.resolve("config.bin"), CONFIG, StandardCharsets.UTF_8);
        Path validIndex = Files.writeString(temp.resolve("index.bin"), INDEX, StandardCharsets.UTF_8);
        Path index = temp.resolve("model.safetensors.index.json");
        Files.copy(validConfig, config);
        run("text", validIndex, index, temp, 1500);
        Files.copy(validIndex, index, StandardCopyOption.REPLACE_EXISTING);
        run("text", validConfig, config, temp, 1500);
    }

    private static void run(String kind, Path valid, Path mutant, Path open, int count) throws Exception {
        List<Probe.Result> lines = Probe.fork(64, open, kind, valid.toString(), mutant.toString(), open.toString(),
                Integer.toString(count), "20260101");
        Probe.Result totals = lines.getLast();
        assertEquals(List.of(), lines.subList(0, lines.size() - 1));
        int refused = Integer.parseInt(totals.message().split(" ")[0]);
        assertTrue(refused > count / 3 && refused < count, "the mutations are not near the valid file: " + totals);
        assertTrue(totals.millis() < 1000, "slowest: " + totals);
    }
}
