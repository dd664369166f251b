package poot.serve.load;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Runs a plan: for every number of streams, round by round, each target in its turn; targets never work at once. */
public final class LoadRun {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

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
                .connectTimeout(PATIENCE).build(); ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<StreamProbe> probes = new ArrayList<>();
            for (LoadTarget t : plan.targets()) {
                probes.add(new StreamProbe(client, t, model(client, t), plan.request()));
                StreamProbe.Outcome first = probes.getLast().run(plan.prompt(0, 0, 0));
                if (first.failed()) {
                    throw new LoadException(t.name() + " at " + t.base() + " does not answer: " + first.failure());
                }
            }
            for (int together : plan.streams()) {
                List<List<Turn>> turns = plan.targets().stream().map(t -> (List<Turn>) new ArrayList<Turn>()).toList();
                for (int round = 0; round < plan.rounds(); round++) {
                    for (int t = 0; t < plan.targets().size(); t++) {
                        turns.get(t).add(turn(probes.get(t), threads, together, round));
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

    /** The first model that a server lists; the target's name where it lists none. */
    private static String model(HttpClient client, LoadTarget target) throws LoadException, InterruptedException {
        HttpRequest ask = HttpRequest.newBuilder(target.at("/v1/models")).timeout(PATIENCE).build();
        try {
            HttpResponse<String> r = client.send(ask, HttpResponse.BodyHandlers.ofString());
            return r.statusCode() != 200 ? target.name()
                    : JsonMapper.shared().readTree(r.body()).path("data").path(0).path("id").asString(target.name());
        } catch (IOException | JacksonException e) {
            throw new LoadException(target.name() + " at " + target.base() + " does not answer: " + e);
        }
    }

    private Turn turn(StreamProbe probe, ExecutorService threads, int together, int round) throws InterruptedException {
        long start = System.nanoTime();
        List<Future<StreamProbe.Outcome>> running = new ArrayList<>();
        for (int s = 0; s < together; s++) {
            int[] prompt = plan.prompt(together, round, s);
            running.add(threads.submit(() -> probe.run(prompt)));
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
