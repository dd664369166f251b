package poot.golden;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import poot.oracle.Tensor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is expected of one golden checkpoint.
 *
 * @param directory the Hugging Face form, beside {@code model.gguf}
 * @param prompts   token ids
 * @param greedy    the argmax continuation of each prompt; empty for encoders
 * @param tensors   expected values
 */
public record Golden(Path directory, List<int[]> prompts, List<int[]> greedy, Safetensors tensors) {
    /** The two forms a checkpoint comes in. */
    public enum Form { HF, GGUF }

    /** Reads a golden directory; the calling test is skipped where it is missing. */
    public static Golden read(String name) throws IOException {
        Path directory = SharedData.require("golden/" + name);
        JsonNode json = JsonMapper.shared().readTree(directory.resolve("golden.json").toFile());
        return new Golden(directory, lists(json.path("prompts")), lists(json.path("greedy")),
                Safetensors.read(directory.resolve("golden.safetensors")));
    }

    /** The checkpoint in one form. */
    public Path checkpoint(Form form) {
        return switch (form) {
            case HF -> directory;
            case GGUF -> directory.resolve("model.gguf");
        };
    }

    /** The expected values of prompt {@code n}: {@code [V]}, {@code [T, V]} of prompt 0, or a pooled row. */
    public Tensor expected(int n, String variant) {
        return tensors.tensor("p" + n + "." + variant);
    }

    private static List<int[]> lists(JsonNode node) {
        List<int[]> out = new ArrayList<>();
        for (JsonNode list : node) {
            int[] ids = new int[list.size()];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = list.get(i).asInt();
            }
            out.add(ids);
        }
        return out;
    }
}
