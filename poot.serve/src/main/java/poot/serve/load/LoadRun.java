package poot.serve.load;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs a plan: for every number of streams, round by round, each target in its turn; targets never work at once. */
public final class LoadRun {
    private final LoadPlan plan;

    public LoadRun(LoadPlan plan) {
        this.plan = plan;
    }

    /** One target's turn: all streams, and the seconds from the first request to the last end. */
    record Turn(List<StreamProbe.Outcome> streams, double seconds) {
        int tokens() {
            return streams.stream().mapToInt(StreamProbe.Outcome::tokens).sum();
        }
    }

    /**
     * Makes the load; one unmeasured stream goes to each target first.
     *
     * @param each receives the figures of every number of streams and target as they are complete
     * @throws LoadException if a target does not answer its first stream
     */
    public List<LoadFigures> run(Consumer<LoadFigures> each) throws LoadException, InterruptedException {
        List<LoadFigures> out = new ArrayList<>();
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10)).build(); ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (LoadTarget t : plan.targets()) {
                StreamProbe.Outcome first = new StreamProbe(client, t, plan.request()).run(plan.prompt(0, 0, 0));
                if (first.failed()) {
                    throw new LoadException(t.name() + " at " + t.base() + " does not answer: " + first.failure());
                }
            }
            for (int together : plan.streams()) {
                List<List<Turn>> turns = plan.targets().stream().map(t -> (List<Turn>) new ArrayList<Turn>()).toList();
                for (int round = 0; round < plan.rounds(); round++) {
                    for (int t = 0; t < plan.targets().size(); t++) {
                        turns.get(t).add(turn(client, threads, plan.targets().get(t), together, round));
                    }
                }
                for (int t = 0; t < plan.targets().size(); t++) {
                    LoadFigures figures = LoadFigures.of(plan.targets().get(t), together, turns.get(t));
                    out.add(figures);
                    each.accept(figures);
                }
            }
        }
        return out;
    }

    private Turn turn(HttpClient client, ExecutorService threads, LoadTarget target, int together, int round) throws InterruptedException {
        long start = System.nanoTime();
        List<Future<StreamProbe.Outcome>> running = new ArrayList<>();
        for (int s = 0; s < together; s++) {
            int[] prompt = plan.prompt(together, round, s);
            running.add(threads.submit(() -> new StreamProbe(client, target, plan.request()).run(prompt)));
        }
        List<StreamProbe.Outcome> outcomes = new ArrayList<>();
        for (Future<StreamProbe.Outcome> f : running) {
            try {
                outcomes.add(f.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a stream's probe failed", e.getCause());
            }
        }
        return new Turn(outcomes, (System.nanoTime() - start) / 1e9);
    }
}
