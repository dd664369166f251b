package poot.serve.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Load against a stand-in that answers as a completions server does. */
class LoadRunTest {
    private static final LoadPlan.Request REQUEST = new LoadPlan.Request(12, 4, 5, 2000, 10);

    private final AtomicInteger asked = new AtomicInteger();
    private final Set<String> models = ConcurrentHashMap.newKeySet();
    private HttpServer server;
    private LoadTarget target;

    @BeforeEach
    void start() throws IOException, LoadException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/completions", this::complete);
        server.start();
        target = LoadTarget.parse("here=http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void complete(HttpExchange exchange) throws IOException {
        JsonNode body = JsonMapper.builder().build().readTree(exchange.getRequestBody().readAllBytes());
        asked.incrementAndGet();
        models.add(body.get("model").asString());
        int tokens = body.get("max_tokens").asInt();
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < tokens; i++) {
            out.append("data: {\"choices\":[{\"text\":\"t").append(body.get("prompt").size()).append("\"}]}\n\n");
        }
        out.append("data: {\"choices\":[],\"usage\":{\"completion_tokens\":").append(tokens).append("}}\n\ndata: [DONE]\n\n");
        byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Test
    void everyStreamOfEveryRoundIsCounted() throws Exception {
        List<LoadFigures> seen = new ArrayList<>();
        List<LoadFigures> figures = new LoadRun(new LoadPlan(List.of(target), List.of(1, 7), REQUEST, 2).checked()).run(seen::add);
        assertEquals(seen, figures);
        assertEquals(Set.of("here"), models);
        assertEquals(1 + 2 * 1 + 2 * 7, asked.get(), "one stream to begin with, then each of two rounds");
        for (LoadFigures f : figures) {
            assertEquals(0, f.failed(), f.failure());
            assertEquals(2, f.throughput().values().size());
            assertTrue(f.throughput().least() > 0 && f.first().greatest() > 0);
        }
    }

    @Test
    void theModelIsOneTheServerLists() throws Exception {
        server.createContext("/v1/models", exchange -> {
            byte[] bytes = "{\"data\":[{\"id\":\"one\"},{\"id\":\"two\"}]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        new LoadRun(new LoadPlan(List.of(target), List.of(2), REQUEST, 1)).run(f -> { });
        assertEquals(Set.of("one"), models);
    }

    @Test
    void aServerThatRefusesIsReportedInItsOwnWords() throws Exception {
        server.removeContext("/v1/completions");
        LoadPlan plan = new LoadPlan(List.of(target), List.of(1), REQUEST, 1);
        LoadException e = assertThrows(LoadException.class, () -> new LoadRun(plan).run(f -> { }));
        assertTrue(e.getMessage().contains("here at http://127.0.0.1") && e.getMessage().contains("status 404"), e.getMessage());
    }

    @Test
    void promptsAreTheSameForEveryTargetAndOtherwiseDiffer() throws Exception {
        LoadPlan plan = new LoadPlan(List.of(target), List.of(1), REQUEST, 1);
        assertArrayEquals(plan.prompt(8, 1, 3), plan.prompt(8, 1, 3));
        int[] a = plan.prompt(8, 1, 3);
        int[] b = plan.prompt(8, 2, 3);
        for (int i = 0; i < REQUEST.shared(); i++) {
            assertEquals(a[i], b[i]);
        }
        boolean differ = false;
        for (int i = REQUEST.shared(); i < a.length; i++) {
            differ |= a[i] != b[i];
            assertTrue(a[i] >= 1000 && a[i] < 2000);
        }
        assertTrue(differ);
    }

    @Test
    void quantilesAreOfTheTimesThatWereSeen() {
        LoadFigures.Quantiles q = LoadFigures.Quantiles.of(DoubleStream.iterate(100, x -> x - 1).limit(100));
        assertEquals(new LoadFigures.Quantiles(50, 99, 100), q);
        assertEquals(new LoadFigures.Quantiles(7, 7, 7), LoadFigures.Quantiles.of(DoubleStream.of(7)));
        assertEquals(new LoadFigures.Quantiles(0, 0, 0), LoadFigures.Quantiles.of(DoubleStream.empty()));
    }

    @Test
    void whatCannotBeReadIsRefusedByName() {
        for (String bad : List.of("http://here", "=http://here", "here=ftp://there", "here=http://", "here=http://a b")) {
            assertThrows(LoadException.class, () -> LoadTarget.parse(bad), bad);
        }
        assertThrows(LoadException.class, () -> new LoadPlan(List.of(), List.of(1), REQUEST, 1).checked());
        assertThrows(LoadException.class, () -> new LoadPlan(List.of(target), List.of(0), REQUEST, 1).checked());
    }
}
