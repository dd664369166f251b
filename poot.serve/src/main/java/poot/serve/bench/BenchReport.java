package poot.serve.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results in words for a person and as JSON for a program; units are bytes, tokens, operations and seconds. */
public final class BenchReport {
    /** A load above which something else is running. */
    private static final double BUSY = 0.5;

    private BenchReport() {}

    /** The machine and its limits, in a line. */
    public static String line(MachineDescription machine, int threads, MachineLimits limits) {
        return String.format(Locale.ROOT, "%s, %d threads: reads %.1f GB/s, F32 FMA %.0f GFLOP/s%s",
                machine.processor(), threads, limits.readBytes() / 1e9, limits.operations() / 1e9,
                machine.load() < BUSY ? "" : String.format(Locale.ROOT, " (a load of %.1f before: others may be disturbing this)", machine.load()));
    }

    /** A result, in a line; percentages are of the machine's limits. */
    public static String line(BenchPlan plan, Measured m, MachineLimits limits) {
        StringBuilder s = new StringBuilder(String.format(Locale.ROOT,
                "%-4s %-6s %-22s %8.1f tokens/s (%.1f–%.1f)  %6.1f GFLOP/s %3.0f%%  %5.1f GB/s %3.0f%%",
                plan.shapeName(), m.mix(), m.workload().label(), m.speed().median(), m.speed().least(), m.speed().greatest(),
                m.operationsPerSecond() / 1e9, 100 * m.operationsPerSecond() / limits.operations(),
                m.bytesPerSecond() / 1e9, 100 * m.bytesPerSecond() / limits.readBytes()));
        if (m.workload() instanceof Workload.Continuation) {
            s.append(String.format(Locale.ROOT, "  %d dispatches, moves %.3f× the least", m.facts().dispatches(), moved(m) / least(m)));
        }
        m.peer().ifPresent(p -> s.append(String.format(Locale.ROOT, "  peer %.1f (%.1f–%.1f)  ratio %.2f (%.2f–%.2f)",
                p.median(), p.least(), p.greatest(), m.speed().median() / p.median(),
                m.ratio().orElseThrow().least(), m.ratio().orElseThrow().greatest())));
        return m.unasked().isEmpty() ? s.toString() : s.append("  (").append(m.unasked()).append(')').toString();
    }

    /** Bytes that must move for a token. */
    private static double least(Measured m) {
        return m.work().bytes() / m.workload().tokens();
    }

    /** Bytes that move for a token of a continuation, activations included. */
    private static double moved(Measured m) {
        return (m.work().bytes() + (double) m.facts().movedBytes() * m.steps()) / m.workload().tokens();
    }

    /** The whole run as JSON values. */
    public static Map<String, Object> json(BenchPlan plan, MachineDescription machine, MachineLimits limits, List<Measured> results) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("poot", version());
        o.put("machine", machine);
        o.put("threads", plan.setup().workers());
        o.put("limits", map("read_bytes_per_s", limits.readBytes(), "f32_operations_per_s", limits.operations()));
        o.put("shape", map("name", plan.shapeName(), "sizes", plan.shape()));
        o.put("kv", plan.setup().kv().name());
        o.put("chunk_tokens", plan.setup().chunk());
        o.put("rounds", map("measured", plan.rounds().measured()));
        o.put("peer_commands", plan.peers().stream().map(PeerCommand::template).toList());
        o.put("results", results.stream().map(m -> json(m, limits)).toList());
        return o;
    }

    private static Map<String, Object> json(Measured m, MachineLimits limits) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("format", m.mix().name());
        o.put("workload", switch (m.workload()) {
            case Workload.Prompt p -> map("kind", "prefill", "tokens", p.tokens(), "context", 0, "rows", 1);
            case Workload.Continuation c -> map("kind", "decode", "tokens", c.each(), "context", c.context(), "rows", c.rows());
        });
        o.put("tokens_per_s", json(m.speed()));
        o.put("operations_per_s", m.operationsPerSecond());
        o.put("operations_fraction", m.operationsPerSecond() / limits.operations());
        o.put("bytes_per_s", m.bytesPerSecond());
        o.put("bytes_fraction", m.bytesPerSecond() / limits.readBytes());
        int tokens = m.workload().tokens();
        Map<String, Object> bytes = map("weights", m.work().weightBytes() / tokens, "cache", m.work().cacheBytes() / tokens,
                "least", least(m));
        if (m.workload() instanceof Workload.Continuation) {
            bytes.put("moved", moved(m));
            o.put("dispatches_per_step", m.facts().dispatches());
        }
        o.put("bytes_per_token", bytes);
        o.put("arena_bytes", m.facts().arenaBytes());
        o.put("load_s", m.loaded().seconds());
        o.put("weight_bytes", m.loaded().weightBytes());
        o.put("retained_bytes", m.loaded().retainedBytes());
        o.put("warm_up_rounds", m.loaded().warmUp());
        m.peer().ifPresent(p -> {
            Map<String, Object> ratio = json(m.ratio().orElseThrow());
            ratio.put("of_medians", m.speed().median() / p.median());
            o.put("peer", map("tokens_per_s", json(p), "ratio", ratio));
        });
        if (!m.unasked().isEmpty()) {
            o.put("peer_unasked", m.unasked());
        }
        return o;
    }

    private static Map<String, Object> json(Spread s) {
        return map("median", s.median(), "least", s.least(), "greatest", s.greatest(), "rounds", s.values());
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> out = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            out.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return out;
    }

    private static String version() {
        return BenchReport.class.getModule().getDescriptor() == null ? "(development)"
                : BenchReport.class.getModule().getDescriptor().rawVersion().orElse("(development)");
    }
}
