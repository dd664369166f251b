package poot.serve.web;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import poot.serve.config.ServerOptions;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.metrics.ServeMetrics;

/** What every request passes: keys, rates, origins; and what every exchange shares. */
final class Guard {
    private final ServerOptions options;
    private final Host host;
    private final Keys keys;
    private final Rates rates;
    private final ServeMetrics metrics;
    private final ServeLog log;

    Guard(ServerOptions options, Host host, ServeMetrics metrics, ServeLog log) {
        this.options = options;
        this.host = host;
        this.keys = new Keys(options.access().keys());
        this.rates = new Rates(options.limits().perMinute());
        this.metrics = metrics;
        this.log = log;
    }

    ServerOptions options() {
        return options;
    }

    ServeMetrics metrics() {
        return metrics;
    }

    ServeLog log() {
        return log;
    }

    /** Whether connections end with their answers. */
    boolean closing() {
        return host.phase() == Host.Phase.DRAINING;
    }

    /** Lets a request pass, or refuses it: no key, or too many requests. */
    void admit(Route route, ServerRequest request) throws ApiException {
        if (route.open()) {
            return;
        }
        String caller = request.remotePeer().host();
        if (keys.required()) {
            Optional<String> given = request.headers().first(HeaderNames.AUTHORIZATION);
            Optional<Integer> key = given.flatMap(keys::find);
            if (key.isEmpty()) {
                throw new ApiException(new ApiFault.NoKey(given.isPresent()));
            }
            caller = "key " + key.get();
        }
        Optional<Duration> wait = rates.take(caller);
        if (wait.isPresent()) {
            throw new ApiException(new ApiFault.RateLimited(options.limits().perMinute(), wait.get()));
        }
    }

    /** Lets pages of the allowed origins read the answer. */
    void cors(ServerRequest request, ServerResponse response) {
        List<String> origins = options.access().origins();
        Optional<String> origin = origins.isEmpty() ? Optional.empty() : request.headers().first(HeaderNames.ORIGIN);
        origin.filter(o -> origins.contains("*") || origins.contains(o)).ifPresent(o -> {
            response.header(HeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origins.contains("*") ? "*" : o);
            response.header(HeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, "x-request-id, retry-after");
            response.header(HeaderNames.VARY, "Origin");
        });
    }

    /** Whether origins may be asked for before a request. */
    boolean preflights() {
        return !options.access().origins().isEmpty();
    }

    /** Answers such a question. */
    void preflight(ServerRequest request, ServerResponse response) {
        cors(request, response);
        response.header(HeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, OPTIONS");
        response.header(HeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type, x-request-id");
        response.header(HeaderNames.ACCESS_CONTROL_MAX_AGE, "600");
        response.status(204);
        response.send();
    }
}
