package poot.accuracy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import poot.golden.SharedData;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A model whose weights are packed, and what it reads.
 *
 * @param name      its name in the table
 * @param gguf      its weights as GGUF, F32 or F16
 * @param directory its weights as a Hugging Face directory
 * @param sequences token ids, each from the beginning: a prompt and the continuation the model itself chose
 */
record Subject(String name, Path gguf, Path directory, List<int[]> sequences) {
    /** How much of each subject is read: the first {@code sequences} sequences, {@code tokens} of each at most. */
    record Extent(int sequences, int tokens) {}

    /** Trained on short stories; rows of 64 and 172 elements. */
    static Subject stories(Extent extent) {
        Path directory = SharedData.require("models/stories260K");
        JsonNode golden = JsonMapper.shared().readTree(directory.resolve("golden.json").toFile());
        return new Subject("stories260K", directory.resolve("stories260K-f32.gguf"), directory,
                cut(List.of(ids(golden.get("greedy_ids"))), extent));
    }

    /** The demo model; rows of 192 and 512 elements. */
    static Subject demo(Extent extent) {
        Path directory = SharedData.require("models/poot-tiny");
        JsonNode golden = JsonMapper.shared().readTree(directory.resolve("golden.json").toFile());
        List<int[]> sequences = new ArrayList<>();
        for (String wanted : List.of("story", "tool_call", "raw_story", "memory")) {
            for (JsonNode c : golden.get("cases")) {
                if (c.get("name").asString().equals(wanted)) {
                    sequences.add(IntStream.concat(Arrays.stream(ids(c.get("prompt_ids"))), Arrays.stream(ids(c.get("greedy_ids")))).toArray());
                }
            }
        }
        return new Subject("poot-tiny", directory.resolve("poot-tiny-f16.gguf"), directory, cut(sequences, extent));
    }

    /** Random weights; rows of 256 and 512 elements, which every format packs. */
    static Subject wide(Path parent, Extent extent) throws IOException {
        WideModel model = WideModel.write(parent);
        return new Subject("random-256", model.gguf(), model.directory(), cut(model.sequences(), extent));
    }

    /** Positions in all. */
    int positions() {
        return sequences.stream().mapToInt(s -> s.length).sum();
    }

    private static List<int[]> cut(List<int[]> sequences, Extent extent) {
        return Stream.of(sequences).flatMap(List::stream).limit(extent.sequences())
                .map(s -> Arrays.copyOf(s, Math.min(s.length, extent.tokens()))).toList();
    }

    private static int[] ids(JsonNode list) {
        return IntStream.range(0, list.size()).map(i -> list.get(i).asInt()).toArray();
    }

    @Override
    public String toString() {
        return name;
    }
}
