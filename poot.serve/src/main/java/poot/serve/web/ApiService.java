package poot.serve.web;

import io.helidon.http.Method;
import io.helidon.http.PathMatchers;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import poot.serve.config.ServerOptions;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.metrics.ServeMetrics;

/** The routes of a host, to be registered with a server. Closing it cuts what still runs. */
public final class ApiService implements HttpService, AutoCloseable {
    private final Guard guard;
    private final List<Route> routes;
    private final Lines lines = new Lines();
    private final Duration head;
    private final Refusal refusal;
    private final AtomicInteger active = new AtomicInteger();

    /** A service over a host. */
    public ApiService(ServerOptions options, Host host, ServeMetrics metrics, ServeLog log) {
        this.guard = new Guard(options, host, metrics, log);
        this.routes = new Routes(host, metrics, options.times().beat()).all();
        this.head = options.times().receive();
        this.refusal = new Refusal(new RefusalLog(log, System::nanoTime), options.limits().body());
    }

    @Override
    public void routing(HttpRules rules) {
        Map<String, List<Route>> paths = routes.stream()
                .collect(Collectors.groupingBy(Route::path, LinkedHashMap::new, Collectors.toList()));
        paths.forEach((path, list) -> {
            String pattern = path.replace("{id}", "{+id}");
            list.forEach(r -> rules.route(m -> takes(r, m), PathMatchers.create(pattern), (req, res) -> exchange(r, req, res)));
            List<String> methods = list.stream().map(Route::method).toList();
            rules.any(pattern, (req, res) -> other(path, methods, req, res));
        });
    }

    /** What is got may be asked for without its body. */
    private static boolean takes(Route route, Method method) {
        return method.text().equals(route.method()) || method.equals(Method.HEAD) && route.method().equals("GET");
    }

    /** Answers what no route takes. */
    void elsewhere(ServerRequest request, ServerResponse response) {
        String path = request.path().rawPath();
        exchange(refusing(request, "(none)", new ApiFault.NoPath(path.length() > 200 ? path.substring(0, 200) + "…" : path)), request, response);
    }

    private void other(String path, List<String> methods, ServerRequest request, ServerResponse response) {
        if (guard.preflights() && request.prologue().method().equals(Method.OPTIONS)) {
            guard.preflight(request, response);
            return;
        }
        response.header(io.helidon.http.HeaderNames.ALLOW, String.join(", ", methods));
        exchange(refusing(request, path, new ApiFault.WrongMethod(request.prologue().method().text(), path, methods)), request, response);
    }

    private static Route refusing(ServerRequest request, String path, ApiFault fault) {
        return new Route(request.prologue().method().text(), path, "", Optional.empty(), true, (_, _, _) -> {
            throw new ApiException(fault);
        });
    }

    private void exchange(Route route, ServerRequest request, ServerResponse response) {
        Line line = Line.CURRENT.isBound() ? Line.CURRENT.get() : new Line(request.remotePeer().host(), Optional.empty(), head);
        lines.add(line);
        active.incrementAndGet();
        try {
            new Exchange(guard, request, response, line).run(route);
        } finally {
            active.decrementAndGet();
            if (!Line.CURRENT.isBound()) {
                lines.remove(line);
            }
        }
    }

    /** Watches the connections of a server of its own. */
    Lines lines() {
        return lines;
    }

    /** Answers what is refused before it is a request. */
    Refusal refusal() {
        return refusal;
    }

    /** Requests being answered. */
    public int active() {
        return active.get();
    }

    @Override
    public void close() {
        lines.close();
    }
}
