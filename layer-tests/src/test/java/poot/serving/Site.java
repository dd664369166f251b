package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.executor.Executor;
import poot.api.model.ProgramName;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.core.engine.Engine;
import poot.families.Families;
import poot.serve.config.ServerOptions;
import poot.serve.http.PootServer;
import poot.step.Backend;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server over a model on one CPU thread, with a client. */
final class Site implements AutoCloseable {
    /** The shipped model. */
    static final Path DEMO = Path.of("../models/poot-tiny");
    /** Four rows of 256 positions. */
    static final DriverOptions SMALL = DriverOptions.DEFAULT.withRows(4).withCapacity(256);

    private final Deque<Runnable> open = new ArrayDeque<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final ModelHandle handle;
    private final PootServer server;

    /** A server with a model of its own. */
    Site(Path model, DriverOptions driver, ServerOptions options) throws Exception {
        handle = ModelHandle.load(model, Families.registry(), LoadOptions.DEFAULT);
        open.push(handle::close);
        Executor executor = Backend.CPU.open();
        open.push(executor::close);
        DriverOptions o = handle.model().schema().program(ProgramName.STEP).isPresent() ? driver
                : driver.withCapacity(1).withEncodeTokens(64).withHeads(EnumSet.noneOf(HeadKind.class));
        server = PootServer.builder().driver(Driver.over(handle, executor, o).prepare().orElseThrow(), handle)
                .name(model.getFileName().toString()).options(options.withAddress("127.0.0.1", 0)).log(log::add).start();
        open.push(server::close);
    }

    /** Another server over the same engine. */
    Site(Site other, ServerOptions options) throws Exception {
        this(other.handle, other.server.engine(), options);
    }

    /** A server over an engine, which stays the caller's. */
    Site(ModelHandle model, Engine engine, ServerOptions options) throws Exception {
        handle = model;
        server = PootServer.builder().engine(engine, handle).name("poot-tiny")
                .options(options.withAddress("127.0.0.1", 0)).log(log::add).start();
        open.push(server::close);
    }

    static Site demo() throws Exception {
        return new Site(DEMO, SMALL, ServerOptions.DEFAULT);
    }

    PootServer server() {
        return server;
    }

    List<String> log() {
        return log;
    }

    URI at(String path) {
        return URI.create(server.url().orElseThrow() + path);
    }

    int port() {
        return at("/").getPort();
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        return client.send(request(path, headers).GET().build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        return client.send(request(path, headers).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    /** What a browser asks before it lets a page of that origin call. */
    HttpResponse<String> preflight(String path, String origin) throws Exception {
        return client.send(request(path, "Origin", origin, "Access-Control-Request-Method", "POST").method("OPTIONS", BodyPublishers.noBody())
                .build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder b = HttpRequest.newBuilder(at(path));
        return headers.length == 0 ? b : b.headers(headers);
    }

    /** The answer of a request that has to be done. */
    JsonNode ok(String path, String body) throws Exception {
        HttpResponse<String> r = post(path, json(body));
        assertEquals(200, r.statusCode(), r.body());
        return read(r.body());
    }

    /** The events of a stream that ends as it has to. */
    List<JsonNode> stream(String path, String body) throws Exception {
        HttpResponse<String> r = post(path, json(body));
        assertEquals(200, r.statusCode(), r.body());
        assertEquals("text/event-stream", r.headers().firstValue("content-type").orElse(""));
        List<JsonNode> out = new ArrayList<>();
        boolean done = false;
        for (String line : r.body().split("\n\n")) {
            assertEquals(false, done, "nothing follows [DONE]");
            if (line.equals("data: [DONE]")) {
                done = true;
            } else if (!line.startsWith(":")) {
                assertEquals("data: ", line.substring(0, 6));
                out.add(read(line.substring(6)));
            }
        }
        assertEquals(true, done, r.body());
        return out;
    }

    /** JSON with quotes written as apostrophes. */
    static String json(String relaxed) {
        return relaxed.replace('\'', '"');
    }

    static JsonNode read(String json) {
        return JsonMapper.shared().readTree(json);
    }

    /** A raw connection. */
    Socket socket() throws IOException {
        Socket s = new Socket("127.0.0.1", port());
        s.setSoTimeout(10_000);
        return s;
    }

    /** Sends bytes on a connection of their own; all that comes back before it ends, or before the time. */
    String raw(byte[] bytes, boolean halfClosed, int millis) throws IOException {
        try (Socket s = socket()) {
            s.setSoTimeout(millis);
            StringBuilder out = new StringBuilder();
            try {
                s.getOutputStream().write(bytes);
                if (halfClosed) {
                    s.shutdownOutput();
                }
                byte[] buffer = new byte[8192];
                for (int n; (n = s.getInputStream().read(buffer)) >= 0; ) {
                    out.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                }
                return out.append("<closed>").toString();
            } catch (java.net.SocketTimeoutException e) {
                return out.append("<open>").toString();
            } catch (IOException e) {
                return out.append("<closed>").toString();
            }
        }
    }

    @Override
    public void close() {
        client.close();
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
