package poot.serve.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import poot.serve.fault.ApiException;
import poot.serve.json.JsonText;
import poot.serve.metrics.ServeMetrics;
import poot.serve.openai.Answer;
import poot.serve.openai.Call;
import poot.serve.openai.ChatCalls;
import poot.serve.openai.ChatFields;
import poot.serve.openai.CompletionCalls;
import poot.serve.openai.EmbeddingCalls;
import poot.serve.openai.ModelCalls;
import poot.serve.openai.OtherFields;
import poot.serve.openai.RerankCalls;
import poot.serve.openai.ResponseCalls;
import poot.serve.openai.ResponseFields;
import poot.serve.openai.Served;
import poot.serve.openai.TokenCalls;
import poot.serve.schema.Shape;
import poot.serve.web.Route.Reply;
import tools.jackson.databind.node.ObjectNode;

/** What there is, path by path. */
final class Routes {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final Host host;
    private final ServeMetrics metrics;
    private final List<Route> all = new ArrayList<>();

    /**
     * Routes over a host.
     *
     * @param beat how long a stream may be silent
     */
    Routes(Host host, ServeMetrics metrics, Duration beat) {
        this.host = host;
        this.metrics = metrics;
        post("/v1/chat/completions", "Continue a conversation.", ChatFields.REQUEST, s -> new ChatCalls(s, beat));
        post("/v1/completions", "Continue a text.", OtherFields.COMPLETION, s -> new CompletionCalls(s, beat));
        post("/v1/responses", "Answer with items: text, reasoning, function calls.", ResponseFields.REQUEST, s -> new ResponseCalls(s, beat));
        post("/v1/embeddings", "Embed texts.", OtherFields.EMBEDDING, EmbeddingCalls::new);
        post("/v1/rerank", "Order documents by how well they answer a query.", OtherFields.RERANK, RerankCalls::new);
        post("/tokenize", "Text to token ids.", OtherFields.TOKENIZE, s -> new TokenCalls(s)::tokenize);
        post("/detokenize", "Token ids to text.", OtherFields.DETOKENIZE, s -> new TokenCalls(s)::detokenize);
        get("/v1/models", "What is served.", false, (_, _, _) -> json(new ModelCalls(host.served()).list()));
        get("/v1/models/{id}", "One model.", false, (_, id, _) -> json(new ModelCalls(host.served()).one(id)));
        get("/health/live", "Whether the server runs.", true, (_, _, _) -> json(JsonText.object().put("status", "live")));
        get("/health/ready", "Whether requests are taken.", true, (_, _, _) -> readiness());
        get("/metrics", "Figures, for Prometheus.", false, (_, _, _) -> figures());
        ObjectNode described = OpenApi.of(all, "/openapi.json");
        get("/openapi.json", "This description.", true, (_, _, _) -> json(described));
        Pages.all().forEach((path, file) -> get(path, "A page for a browser.", true, (_, _, _) -> new Reply.Page(file)));
    }

    private void post(String path, String summary, Shape body, Function<Served, Call> call) {
        all.add(new Route("POST", path, summary, Optional.of(body), false, (b, _, client) ->
                new Reply.Api(call.apply(host.served()).answer(b.orElseThrow(), client))));
    }

    private void get(String path, String summary, boolean open, Route.Handler handler) {
        all.add(new Route("GET", path, summary, Optional.empty(), open, handler));
    }

    private static Reply json(ObjectNode body) {
        return new Reply.Api(new Answer.Whole(body));
    }

    private Reply readiness() {
        boolean ready = host.takes();
        String status = ready ? "ready" : host.phase().name().toLowerCase(java.util.Locale.ROOT);
        return new Reply.Text(ready ? 200 : 503, "application/json", JsonText.write(JsonText.object().put("status", status)));
    }

    private Reply figures() throws ApiException {
        Served s = host.model().orElse(null);
        s = s == null ? host.served() : s;
        return new Reply.Text(200, PROMETHEUS, metrics.text(s.engine(), s.memory().weights(), s.memory().device()));
    }

    /** Every route. */
    List<Route> all() {
        return List.copyOf(all);
    }
}
