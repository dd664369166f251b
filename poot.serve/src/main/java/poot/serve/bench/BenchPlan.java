package poot.serve.bench;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a run of the bench measures and how.
 *
 * @param shapeName the shape's name
 * @param shape     the sizes
 * @param mixes     the formats, one checkpoint each
 * @param workloads what is measured on each
 * @param setup     how poot is prepared
 * @param rounds    how often
 * @param peers     another engine's commands; the first that can be told of a workload runs after each of poot's turns
 * @param folder    where checkpoints are written, and found again
 * @param kept      whether they stay there
 */
public record BenchPlan(String shapeName, BenchShape shape, List<WeightMix> mixes, List<Workload> workloads,
        Workbench.Setup setup, Rounds rounds, List<PeerCommand> peers, Path folder, boolean kept) {
    /**
     * How often each workload is run.
     *
     * @param warmUp   unmeasured turns before; empty for as many as Java's compilers need
     * @param measured turns that count, at least 1
     */
    public record Rounds(OptionalInt warmUp, int measured) {}

    public BenchPlan {
        mixes = List.copyOf(mixes);
        workloads = List.copyOf(workloads);
        peers = List.copyOf(peers);
    }

    /** The command that is asked for a workload, if there is one. */
    public Optional<PeerCommand> peer(Workload workload) {
        return peers.stream().filter(p -> p.refusal(workload).isEmpty()).findFirst();
    }

    /** Why no command is asked for a workload; empty if one is, or if there is none. */
    public String refusal(Workload workload) {
        return peer(workload).isPresent() ? ""
                : String.join("; ", new LinkedHashSet<>(peers.stream().map(p -> p.refusal(workload)).toList()));
    }

    /** The checkpoint of a format. */
    public Path file(WeightMix mix) {
        return folder.resolve(shapeName + "-" + mix + ".gguf");
    }
}
