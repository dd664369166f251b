package poot.serve.metrics;

import java.time.Duration;
import java.util.Locale;
import poot.api.driver.CacheUse;
import poot.core.engine.End;
import poot.core.engine.Engine;
import poot.core.engine.EngineFault;
import poot.core.engine.EngineObserver;
import poot.core.engine.EngineStatus;
import poot.core.engine.StepReport;
import poot.core.engine.SubmitFault;
import poot.core.engine.Usage;

/** What one server counts: requests as they are answered, and what its engine does. Seconds, tokens, rows, bytes. */
public final class ServeMetrics implements EngineObserver {
    private static final double[] LONG = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300};
    private static final double[] SHORT = {0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5};
    private static final double[] ROWS = {1, 2, 4, 8, 16, 32, 64, 128, 256};

    private final LabelledCounter requests = new LabelledCounter();
    private final LabelledCounter ends = new LabelledCounter();
    private final LabelledCounter refusals = new LabelledCounter();
    private final LabelledCounter tokens = new LabelledCounter();
    private final Histogram firstToken = new Histogram(LONG);
    private final Histogram nextToken = new Histogram(SHORT);
    private final Histogram whole = new Histogram(LONG);
    private final Histogram queued = new Histogram(LONG);
    private final Histogram steps = new Histogram(SHORT);
    private final Histogram stepRows = new Histogram(ROWS);
    private final Histogram http = new Histogram(LONG);
    private final long started = System.nanoTime();

    /** A request was answered; {@code route} is one of the server's own. */
    public void answered(String route, int status, Duration time) {
        requests.add("route=\"" + route + "\",status=\"" + status + "\"", 1);
        http.add(seconds(time));
    }

    @Override
    public void refused(SubmitFault fault) {
        refusals.add("reason=\"" + fault.getClass().getSimpleName() + "\"", 1);
    }

    @Override
    public void started(Duration time, int prompt, int reused) {
        queued.add(seconds(time));
        tokens.add("kind=\"prompt\"", prompt);
        tokens.add("kind=\"prompt_cached\"", reused);
    }

    @Override
    public void firstToken(Duration sinceSubmit) {
        firstToken.add(seconds(sinceSubmit));
        tokens.add("kind=\"generated\"", 1);
    }

    @Override
    public void nextToken(Duration sincePrevious) {
        nextToken.add(seconds(sincePrevious));
        tokens.add("kind=\"generated\"", 1);
    }

    @Override
    public void ended(End end, Usage usage, Duration sinceSubmit) {
        ends.add("end=\"" + end.name().toLowerCase(Locale.ROOT) + "\"", 1);
        whole.add(seconds(sinceSubmit));
    }

    @Override
    public void failed(EngineFault fault, Usage usage, Duration sinceSubmit) {
        ends.add("end=\"failed\"", 1);
        whole.add(seconds(sinceSubmit));
    }

    @Override
    public void stepped(StepReport step) {
        steps.add(seconds(step.time()));
        stepRows.add(step.rows());
    }

    /**
     * Everything, as text.
     *
     * @param engine  the engine, for what stands now
     * @param weights bytes of the model's weights
     * @param device  bytes held beyond them
     */
    public String text(Engine engine, long weights, long device) {
        Exposition out = new Exposition();
        requests.write(out, "poot_http_requests_total", "HTTP requests answered, by route and status.");
        http.write(out, "poot_http_request_seconds", "Time of an HTTP request.");
        ends.write(out, "poot_generations_total", "Generations over, by what ended them.");
        refusals.write(out, "poot_refusals_total", "Generations not accepted, by reason.");
        tokens.write(out, "poot_tokens_total", "Tokens by kind.");
        firstToken.write(out, "poot_time_to_first_token_seconds", "From submission to the first token.");
        nextToken.write(out, "poot_inter_token_seconds", "Between two tokens of one generation.");
        whole.write(out, "poot_generation_seconds", "From submission to the end.");
        queued.write(out, "poot_queue_seconds", "From submission to a row.");
        steps.write(out, "poot_step_seconds", "Time of a step.");
        stepRows.write(out, "poot_step_rows", "Rows of a step: the batch size.");
        status(out, engine.status());
        out.single("poot_weights_bytes", "Bytes of the model's weights.", "gauge", weights);
        out.single("poot_device_bytes", "Bytes held on the device beyond the weights: caches and buffers.", "gauge", device);
        Runtime java = Runtime.getRuntime();
        out.single("poot_heap_used_bytes", "Bytes of the Java heap in use.", "gauge", java.totalMemory() - java.freeMemory());
        out.single("poot_uptime_seconds", "Since the server was made.", "gauge", (System.nanoTime() - started) / 1e9);
        return out.toString();
    }

    private static void status(Exposition out, EngineStatus s) {
        CacheUse c = s.cache();
        out.single("poot_ready", "1 while requests are taken.", "gauge", s.ready() ? 1 : 0);
        out.single("poot_running", "Requests with a row.", "gauge", s.running());
        out.single("poot_suspended", "Of those, requests that wait for others' blocks.", "gauge", s.suspended());
        out.single("poot_waiting", "Requests that wait for a row.", "gauge", s.waiting());
        out.single("poot_preemptions_total", "Times a request's blocks were taken back.", "counter", s.totals().preemptions());
        out.single("poot_encoded_rows_total", "Rows encoded.", "counter", s.totals().encoded());
        out.head("poot_kv_blocks", "Blocks of keys and values, by state.", "gauge");
        out.value("poot_kv_blocks", "state=\"free\"", c.free());
        out.value("poot_kv_blocks", "state=\"cached\"", c.cached());
        out.value("poot_kv_blocks", "state=\"used\"", c.used());
        out.single("poot_kv_blocks_total", "Blocks of keys and values.", "gauge", c.total());
        out.single("poot_prefix_hit_tokens_total", "Prompt tokens found in the prefix cache.", "counter", c.hits());
        out.single("poot_prefix_asked_tokens_total", "Prompt tokens looked up in the prefix cache.", "counter", c.asked());
    }

    private static double seconds(Duration d) {
        return d.toNanos() / 1e9;
    }
}
