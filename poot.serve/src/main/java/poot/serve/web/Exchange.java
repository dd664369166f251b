package poot.serve.web;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.fault.ErrorAnswer;
import poot.serve.json.JsonText;
import poot.serve.openai.Answer;
import poot.serve.schema.Body;
import poot.serve.schema.Check;
import poot.serve.web.Route.Reply;
import tools.jackson.databind.node.ObjectNode;

/** One request from its headers to its answer, on the connection's thread. */
final class Exchange {
    private static final int CLOSED_BY_CLIENT = 499;

    private final Guard guard;
    private final ServerRequest request;
    private final ServerResponse response;
    private final Line line;
    private final String id;
    /** Asked for at once: a socket that is closed no longer knows. */
    private final String client;
    private final long started = System.nanoTime();
    private int status;
    /** Whether the connection ends with the answer: what is left of the body would be taken for the next request. */
    private boolean close;
    private boolean read;
    private boolean streaming;

    Exchange(Guard guard, ServerRequest request, ServerResponse response, Line line) {
        this.guard = guard;
        this.request = request;
        this.response = response;
        this.line = line;
        this.client = request.remotePeer().host();
        this.id = RequestIds.of(request.headers().first(RequestIds.HEADER));
    }

    /** Answers it, whatever happens, and says so in the log. */
    void run(Route route) {
        line.inTime();
        response.header(RequestIds.HEADER, id);
        guard.cors(request, response);
        try {
            answer(route);
        } catch (ApiException e) {
            if (line.gone()) {
                lost(e);
            }
            refuse(e.fault());
        } catch (InterruptedException e) {
            lost(e);
        } catch (IOException | UncheckedIOException | CloseConnectionException e) {
            lost(e);
        } catch (RuntimeException e) {
            if (line.expired()) {
                lost(e);
            }
            guard.log().fault(id, e);
            if (streaming) {
                lost(e);
            }
            refuse(new ApiFault.Internal("a fault in the server; its log has request " + id));
        } finally {
            line.idle();
            report(route);
        }
        if (close) {
            throw new CloseConnectionException("request " + id + " ended with its connection");
        }
    }

    private void answer(Route route) throws ApiException, InterruptedException, IOException {
        guard.admit(route, request);
        Optional<Body> body = Optional.empty();
        if (route.body().isPresent()) {
            byte[] bytes = body();
            body = Optional.of(Check.body(BodyBytes.json(bytes), route.body().get()));
        }
        String part = request.path().pathParameters().first("id").orElse("");
        switch (route.handler().answer(body, part, line::watch)) {
            case Reply.Text t -> send(t.status(), t.type(), t.text().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            case Reply.Page p -> {
                response.header(HeaderNames.create("Content-Security-Policy"), Pages.POLICY);
                response.header(HeaderNames.CACHE_CONTROL, "no-cache");
                send(200, p.file().type(), p.file().bytes());
            }
            case Reply.Api a -> {
                switch (a.answer()) {
                    case Answer.Whole w -> send(200, "application/json", JsonText.bytes(w.body()));
                    case Answer.Events e -> stream(e);
                }
            }
        }
    }

    private byte[] body() throws ApiException {
        BodyBytes.check(request, guard.options().limits().body());
        close = true;
        line.within(guard.options().times().receive());
        line.atMost(BodyBytes.framed(guard.options().limits().body()));
        byte[] bytes = BodyBytes.read(request, guard.options());
        line.inTime();
        close = false;
        read = true;
        return bytes;
    }

    private void send(int code, String type, byte[] bytes) {
        status = code;
        close |= !read && BodyBytes.leaves(request);
        ending();
        response.status(code);
        response.header(HeaderNames.CONTENT_TYPE, type);
        response.header(HeaderNames.create("X-Content-Type-Options"), "nosniff");
        line.within(guard.options().times().send());
        if (request.prologue().method().equals(Method.HEAD)) {
            response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(bytes.length));
            response.send();
        } else {
            response.send(bytes);
        }
        line.inTime();
    }

    private void ending() {
        close |= guard.closing() || request.headers().first(HeaderNames.CONNECTION).filter("close"::equalsIgnoreCase).isPresent();
        if (close) {
            response.header(HeaderNames.CONNECTION, "close");
        }
    }

    private void stream(Answer.Events events) throws IOException, InterruptedException {
        status = 200;
        response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
        response.header(HeaderNames.CACHE_CONTROL, "no-cache");
        response.header("x-accel-buffering", "no");
        ending();
        streaming = true;
        try (events; var out = response.outputStream()) {
            events.send(new Sse(out, line, guard.options().times().send()));
            line.within(guard.options().times().send());
        }
        if (line.gone()) {
            lost(new EOFException("the client went while its stream ran"));
        }
        if (close && response instanceof RoutingResponse whole) {
            // The last chunk is written after the handler, which a connection that ends with it does not come to.
            whole.commit();
        }
        line.inTime();
    }

    private void refuse(ApiFault fault) {
        ErrorAnswer answer = ErrorAnswer.of(fault);
        answer.retry().map(Duration::toSeconds).ifPresent(s -> response.header(HeaderNames.RETRY_AFTER, Long.toString(Math.max(1, s))));
        if (answer.status() == 401) {
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        try {
            send(answer.status(), "application/json", JsonText.bytes(answer.body()));
        } catch (UncheckedIOException | CloseConnectionException e) {
            lost(e);
        }
    }

    /** The client is gone or too slow, or the server stops: there is nobody to answer. */
    private void lost(Exception e) {
        status = CLOSED_BY_CLIENT;
        line.idle();
        throw new CloseConnectionException("request " + id + " lost its client", e);
    }

    private void report(Route route) {
        Duration time = Duration.ofNanos(System.nanoTime() - started);
        guard.metrics().answered(route.path(), status, time);
        ObjectNode entry = guard.log().line("request").put("request", id).put("method", route.method()).put("route", route.path())
                .put("status", status).put("ms", time.toNanos() / 1000 / 1e3).put("client", client);
        if (line.expired()) {
            entry.put("slow", true);
        }
        guard.log().write(entry);
    }
}
