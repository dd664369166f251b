package poot.serve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a peer's speed from what it wrote: the array of {@code llama-bench -o json} (fields {@code n_prompt},
 * {@code n_gen}, {@code avg_ts}), the lines of {@code llama-batched-bench --output-format jsonl} (fields {@code pl},
 * {@code speed_pp}, {@code speed_tg}), or a line {@code {"prefill": X, "decode": Y}} in tokens a second, all rows
 * together. Lines that are no JSON are passed over.
 */
final class PeerOutput {
    private PeerOutput() {}

    /**
     * Tokens a second of the workload.
     *
     * @throws BenchException if the output does not tell
     */
    static double speed(String output, Workload workload) throws BenchException {
        for (JsonNode node : nodes(output)) {
            OptionalDouble speed = speed(node, workload);
            if (speed.isPresent() && Double.isFinite(speed.getAsDouble()) && speed.getAsDouble() > 0) {
                return speed.getAsDouble();
            }
        }
        String shown = output.strip();
        throw new BenchException("the peer's output does not tell its speed for " + workload.label()
                + "; expected JSON with n_prompt, n_gen and avg_ts, or {\"prefill\": X, \"decode\": Y}, got: "
                + (shown.isEmpty() ? "nothing" : shown.substring(Math.max(0, shown.length() - 300))));
    }

    /** The objects of the output: of the whole if it is JSON, else of each line that is. */
    private static List<JsonNode> nodes(String output) {
        List<JsonNode> out = new ArrayList<>();
        if (!parse(output, out)) {
            output.lines().filter(l -> l.strip().startsWith("{")).forEach(l -> parse(l, out));
        }
        return out;
    }

    private static boolean parse(String text, List<JsonNode> out) {
        try {
            JsonNode node = JsonMapper.shared().readTree(text);
            if (node.isArray()) {
                node.forEach(out::add);
            } else if (node.isObject()) {
                out.add(node);
            }
            return node.isArray() || node.isObject();
        } catch (JacksonException e) {
            return false; // not JSON: the caller looks further, and reports what it cannot read
        }
    }

    private static OptionalDouble speed(JsonNode n, Workload workload) {
        return switch (workload) {
            case Workload.Prompt p -> n.has("avg_ts")
                    ? when(n, "avg_ts", n.path("n_prompt").asInt(-1) == p.tokens() && n.path("n_gen").asInt(-1) == 0)
                    : n.has("speed_pp") ? when(n, "speed_pp", n.path("pl").asInt(1) == 1) : when(n, "prefill", true);
            case Workload.Continuation c -> n.has("avg_ts")
                    ? when(n, "avg_ts", c.rows() == 1 && n.path("n_prompt").asInt(-1) == 0 && n.path("n_gen").asInt(-1) == c.each())
                    : n.has("speed_tg") ? when(n, "speed_tg", n.path("pl").asInt(1) == c.rows()) : when(n, "decode", true);
        };
    }

    private static OptionalDouble when(JsonNode n, String field, boolean fits) {
        return fits && n.path(field).isNumber() ? OptionalDouble.of(n.get(field).asDouble()) : OptionalDouble.empty();
    }
}
