package poot.serve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import poot.api.driver.AdmitException;
import poot.api.driver.StepException;
import poot.api.executor.ExecutorException;
import poot.api.model.LoadException;

/**
 * Runs a plan. For each format the checkpoint is written if it is not there, then the workloads of each number of rows
 * share a driver: first the unmeasured rounds, then the measured ones, in each of which every workload has a turn and
 * the peer has its own after it, nothing else running.
 */
public final class Bench {
    private final BenchPlan plan;
    private final Progress progress;

    /** Where a bench says what it does. */
    public interface Progress {
        /** A checkpoint is being written or prepared. */
        void stage(String what);

        /** A turn begins. */
        void turn(String what);
    }

    /** A bench of a plan. */
    public Bench(BenchPlan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** Measures; each result is given as soon as it is there. */
    public List<Measured> run(Consumer<Measured> sink) throws BenchException, LoadException, ExecutorException, AdmitException,
            StepException, IOException, InterruptedException {
        List<Measured> all = new ArrayList<>();
        for (WeightMix mix : plan.mixes()) {
            Path file = plan.file(mix);
            try {
                if (!Files.exists(file)) {
                    progress.stage("writing " + file.getFileName());
                    SyntheticCheckpoint.write(file, plan.shape(), mix);
                }
                Map<Integer, List<Workload>> byRows = plan.workloads().stream()
                        .collect(Collectors.groupingBy(Workload::rows, TreeMap::new, Collectors.toList()));
                for (Map.Entry<Integer, List<Workload>> e : byRows.entrySet()) {
                    List<Measured> some = measure(mix, file, e.getKey(), e.getValue());
                    some.forEach(sink);
                    all.addAll(some);
                }
            } finally {
                if (!plan.kept()) {
                    Files.deleteIfExists(file);
                }
            }
        }
        return all;
    }

    private List<Measured> measure(WeightMix mix, Path file, int rows, List<Workload> workloads) throws BenchException,
            LoadException, ExecutorException, AdmitException, StepException, InterruptedException {
        int capacity = workloads.stream().mapToInt(Workload::capacity).max().orElseThrow();
        progress.stage("preparing " + file.getFileName() + ", " + rows + (rows == 1 ? " row" : " rows") + " of " + capacity);
        try (Workbench bench = Workbench.open(file, plan.setup(), rows, capacity)) {
            List<Turns> turns = workloads.stream().map(Turns::new).toList();
            WarmUp warmUp = new WarmUp(plan.rounds().warmUp());
            while (warmUp.next()) {
                for (Turns t : turns) {
                    progress.turn("warming up: " + t.workload.label());
                    bench.turn(t.workload);
                }
            }
            for (int i = 0; i < plan.rounds().measured(); i++) {
                for (Turns t : turns) {
                    progress.turn("round " + (i + 1) + ": " + t.workload.label());
                    t.own.add(t.workload.tokens() / bench.turn(t.workload));
                    t.facts = bench.facts();
                    Optional<PeerCommand> peer = plan.peer(t.workload);
                    if (peer.isPresent()) {
                        t.peer.add(peer.get().run(file, t.workload, plan.setup().workers()));
                    }
                }
            }
            return turns.stream().map(t -> t.measured(mix, bench, warmUp.rounds())).toList();
        }
    }

    /** The turns of one workload so far. */
    private final class Turns {
        private final Workload workload;
        private final List<Double> own = new ArrayList<>();
        private final List<Double> peer = new ArrayList<>();
        private StepFacts facts;

        Turns(Workload workload) {
            this.workload = workload;
        }

        Measured measured(WeightMix mix, Workbench bench, int warmUp) {
            long weights = SyntheticCheckpoint.weightBytes(plan.shape(), mix);
            Work work = Work.of(workload, plan.shape(), weights, plan.setup().kv().featureBytes(), bench.chunk());
            return new Measured(mix, workload, new Spread(own), work, facts,
                    new Measured.Loaded(bench.loadSeconds(), weights, bench.retainedBytes(), warmUp),
                    peer.isEmpty() ? Optional.empty() : Optional.of(new Spread(peer)),
                    plan.refusal(workload));
        }
    }
}
