package poot.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import poot.api.executor.Executor;
import poot.api.model.KvLayout;
import poot.api.model.StepShape;
import poot.families.Families;
import poot.step.Backend;
import poot.step.ExecutorSession;
import poot.step.Session;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The trained models' continuations by steps run by hand, so in every mode a process can compile and run them. */
class GoldenTrainedTest {
    private static final int LONGEST_PROMPT = 70;
    private static final int CONTINUED = 24;

    @Test
    void conversations() throws Exception {
        Path directory = SharedData.require("models/poot-tiny");
        List<int[]> prompts = new ArrayList<>();
        List<int[]> continuations = new ArrayList<>();
        for (JsonNode c : JsonMapper.shared().readTree(directory.resolve("golden.json").toFile()).get("cases")) {
            if (c.get("prompt_ids").size() <= LONGEST_PROMPT) {
                prompts.add(ids(c.get("prompt_ids")));
                continuations.add(ids(c.get("greedy_ids")));
            }
        }
        assertTrue(prompts.size() > 8, prompts.size() + " cases");
        List<int[]> found = greedy(directory, prompts, CONTINUED, 128);
        for (int i = 0; i < prompts.size(); i++) {
            int count = Math.min(CONTINUED, continuations.get(i).length);
            assertArrayEquals(Arrays.copyOf(continuations.get(i), count), Arrays.copyOf(found.get(i), count), "case " + i);
        }
    }

    @Test
    void aStory() throws Exception {
        Path directory = SharedData.require("models/stories260K");
        JsonNode golden = JsonMapper.shared().readTree(directory.resolve("golden.json").toFile());
        int[] prompt = ids(golden.get("prompt_ids"));
        int[] whole = ids(golden.get("greedy_ids"));
        int[] found = greedy(directory, List.of(prompt), whole.length - prompt.length, 256).getFirst();
        assertArrayEquals(Arrays.copyOfRange(whole, prompt.length, whole.length), found);
    }

    private static List<int[]> greedy(Path directory, List<int[]> prompts, int count, int capacity) throws Exception {
        StepShape base = StepShape.step(1, 1, capacity).withLayout(new KvLayout.Contiguous(prompts.size()));
        try (OpenModel m = OpenModel.open(directory, Families.registry()); Executor executor = Backend.CPU.open();
                Session s = new ExecutorSession(m.model(), m.weights(), base, executor)) {
            return s.greedy(prompts, count);
        }
    }

    private static int[] ids(JsonNode list) {
        return IntStream.range(0, list.size()).map(i -> list.get(i).asInt()).toArray();
    }
}
