package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import poot.acceptance.MalformedRun.Outcome;
import poot.golden.SharedData;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every malformed checkpoint, from its files to a step, ends as its manifest expects: refused by a typed error that
 * names what is wrong, under a heap and direct memory of 64 MiB each, in less than a second.
 */
class MalformedCheckpointsTest {
    private static final List<String> SMALL = List.of("-Xmx64m", "-XX:MaxDirectMemorySize=64m", "-XX:+UseSerialGC");
    private static final int MILLIS = 1000;
    private static final Pattern NAMED = Pattern.compile("(tensor|key|model_type|general\\.architecture) \"");

    private record Line(Outcome outcome, long millis, String message) {}

    @Test
    void everyFileEndsAsExpected(TestReporter reporter) throws Exception {
        Path root = SharedData.require("golden/malformed");
        Launched run = Launched.run(Launched.testMain(MalformedRun.class, SMALL, root.toString()), "", Map.of());
        assertEquals(0, run.status(), run.err());
        Map<String, Line> lines = new LinkedHashMap<>();
        run.out().lines().map(l -> l.split(MalformedRun.TAB, -1))
                .forEach(f -> lines.put(f[0], new Line(Outcome.valueOf(f[1]), Long.parseLong(f[2]), f[3])));
        JsonNode files = JsonMapper.shared().readTree(root.resolve("manifest.json").toFile()).get("files");
        assertEquals(files.size(), lines.size());
        String slowest = "";
        for (JsonNode f : files) {
            String name = f.get("file").asString();
            Line line = lines.get(name);
            String what = name + " (" + f.get("wrong").asString() + "): " + line;
            assertTrue(allowed(f.get("expect").asString()).contains(line.outcome), what);
            assertTrue(says(line, name), what);
            assertTrue(line.millis < MILLIS, what);
            slowest = slowest.isEmpty() || lines.get(slowest).millis < line.millis ? name : slowest;
        }
        reporter.publishEntry("slowest", slowest + " " + lines.get(slowest).millis + " ms");
        reporter.publishEntry("running", lines.entrySet().stream().filter(e -> e.getValue().outcome == Outcome.RUNS)
                .map(Map.Entry::getKey).toList().toString());
    }

    /** A refusal names the file, the tensor or the key; a fault of a step says what is wrong with the logits. */
    private static boolean says(Line line, String name) {
        return switch (line.outcome) {
            case RUNS -> line.message.isEmpty();
            case FAULTED -> line.message.contains("not finite");
            case REJECTED -> line.message.contains(name) || NAMED.matcher(line.message).find();
        };
    }

    /** What the manifest's expectation leaves open; a weight that is not a number shows when it is stepped on. */
    private static Set<Outcome> allowed(String expect) {
        return switch (expect) {
            case "accept" -> Set.of(Outcome.RUNS);
            case "reject" -> Set.of(Outcome.REJECTED);
            case "reject-or-nan" -> Set.of(Outcome.REJECTED, Outcome.FAULTED);
            case "reject-or-ignore", "reject-or-defer" -> Set.of(Outcome.REJECTED, Outcome.RUNS);
            case "accept-or-reject" -> Set.of(Outcome.REJECTED, Outcome.FAULTED, Outcome.RUNS);
            default -> throw new AssertionError("the manifest expects \"" + expect + "\"");
        };
    }
}
