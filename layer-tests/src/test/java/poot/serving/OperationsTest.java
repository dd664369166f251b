package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.core.engine.EngineStatus;
import poot.serve.config.ServerOptions;
import poot.serve.config.ServerOptions.Access;
import poot.serve.config.ServerOptions.Limits;
import poot.serve.config.ServerOptions.Times;

/** Keys, rates, origins, certificates; clients that are slow or gone; the end of a server. */
class OperationsTest {
    private static final ServerOptions USUAL = ServerOptions.DEFAULT;
    private static final String LONG = "{\"prompt\":\"Once\",\"ignore_eos\":true,\"temperature\":1,\"max_tokens\":200,\"n\":%d,\"stream\":%b}";

    private static Site engine;

    @BeforeAll
    static void open() throws Exception {
        engine = Site.demo();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static String post(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static byte[] bytes(String s) {
        return s.getBytes(StandardCharsets.US_ASCII);
    }

    private static void await(String what, java.util.function.BooleanSupplier done) throws InterruptedException {
        long end = System.nanoTime() + 10_000_000_000L;
        while (!done.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            Thread.sleep(10);
        }
    }

    private static void unused(Site site) throws InterruptedException {
        await("every row is given back", () -> site.server().engine().status().running() == 0 && site.server().engine().status().waiting() == 0);
        assertEquals(0, site.server().engine().status().cache().used());
    }

    @Test
    void aKeyIsAskedFor() throws Exception {
        try (Site site = new Site(engine, USUAL.withAccess(new Access(List.of("one", "two"), List.of(), Optional.empty())))) {
            assertEquals(401, site.get("/v1/models").statusCode());
            HttpResponse<String> wrong = site.post("/v1/completions", "{\"prompt\":\"a\"}", "Authorization", "Bearer three");
            assertEquals(401, wrong.statusCode());
            assertEquals("invalid_api_key", Site.read(wrong.body()).get("error").get("code").stringValue());
            assertEquals("Bearer", wrong.headers().firstValue("www-authenticate").orElse(""));
            assertEquals(401, site.get("/metrics", "Authorization", "Basic one").statusCode());
            assertEquals(200, site.get("/v1/models", "Authorization", "bearer two").statusCode());
            assertEquals(200, site.get("/health/ready").statusCode());
            site.log().forEach(l -> assertFalse(l.contains("three"), l));
        }
    }

    @Test
    void aRateIsHeld() throws Exception {
        Limits l = USUAL.limits();
        try (Site site = new Site(engine, USUAL.withLimits(new Limits(l.body(), l.headers(), l.connections(), l.output(), 3)))) {
            for (int i = 0; i < 3; i++) {
                assertEquals(200, site.get("/v1/models").statusCode());
            }
            HttpResponse<String> fourth = site.get("/v1/models");
            assertEquals(429, fourth.statusCode());
            int wait = Integer.parseInt(fourth.headers().firstValue("retry-after").orElseThrow());
            assertTrue(wait >= 1 && wait <= 20, "wait " + wait);
            assertEquals("rate_limit_exceeded", Site.read(fourth.body()).get("error").get("code").stringValue());
            assertEquals(200, site.get("/health/live").statusCode());
        }
    }

    @Test
    void originsAreAllowedByNameAlone() throws Exception {
        try (Site none = new Site(engine, USUAL)) {
            assertEquals(405, none.preflight("/v1/models", "http://a.example").statusCode());
            assertTrue(none.get("/v1/models", "Origin", "http://a.example").headers().firstValue("access-control-allow-origin").isEmpty());
        }
        try (Site one = new Site(engine, USUAL.withAccess(new Access(List.of(), List.of("http://a.example"), Optional.empty())))) {
            HttpResponse<String> asked = one.preflight("/v1/chat/completions", "http://a.example");
            assertEquals(204, asked.statusCode());
            assertEquals("http://a.example", asked.headers().firstValue("access-control-allow-origin").orElse(""));
            assertTrue(one.preflight("/v1/models", "http://b.example").headers().firstValue("access-control-allow-origin").isEmpty());
        }
    }

    @Test
    void aClientThatGoesWhileItWaitsIsDropped() throws Exception {
        try (Site site = new Site(engine, USUAL)) {
            long before = site.server().engine().status().totals().generated();
            try (Socket s = site.socket()) {
                s.getOutputStream().write(post("/v1/completions", LONG.formatted(16, false)).getBytes(StandardCharsets.US_ASCII));
                await("it runs", () -> site.server().engine().status().running() > 0);
            }
            unused(site);
            assertTrue(site.server().engine().status().totals().generated() - before < 16 * 200, "it was cancelled");
        }
    }

    @Test
    void aClientThatGoesWhileItReadsIsDropped() throws Exception {
        try (Site site = new Site(engine, USUAL)) {
            long before = site.server().engine().status().totals().generated();
            try (Socket s = site.socket()) {
                s.getOutputStream().write(post("/v1/completions", LONG.formatted(16, true)).getBytes(StandardCharsets.US_ASCII));
                BufferedReader in = new BufferedReader(new InputStreamReader(s.getInputStream(), StandardCharsets.US_ASCII));
                while (!in.readLine().startsWith("data: ")) {
                    assertTrue(s.isConnected());
                }
            }
            unused(site);
            assertTrue(site.server().engine().status().totals().generated() - before < 16 * 200, "it was cancelled");
            await("the log says so", () -> site.log().stream().anyMatch(l -> l.contains("\"status\":499")));
        }
    }

    /** One that ends its sending side alone is taken for gone: what was cut short for it is not told as whole. */
    @Test
    void aClientThatGoesIsNotToldThatItsAnswerIsWhole() throws Exception {
        try (Site site = new Site(engine, USUAL)) {
            String whole = site.raw(bytes(post("/v1/completions", LONG.formatted(16, false))), true, 8000);
            assertFalse(whole.contains(" 200 "), whole);
            String stream = site.raw(bytes(post("/v1/completions", LONG.formatted(16, true))), true, 8000);
            assertFalse(stream.contains("[DONE]"), stream);
            unused(site);
            await("the log says so", () -> site.log().stream().anyMatch(l -> l.contains("\"status\":499")));
        }
    }

    @Test
    void aStreamIsWholeOnAConnectionThatEndsWithIt() throws Exception {
        try (Site site = new Site(engine, USUAL)) {
            String ask = post("/v1/completions", "{\"prompt\":\"Once\",\"max_tokens\":2,\"stream\":true}");
            String answer = site.raw(bytes(ask.replace("Host: a", "Host: a\r\nConnection: close")), false, 8000);
            assertTrue(answer.endsWith("data: [DONE]\n\n\r\n0\r\n\r\n<closed>"), answer);
        }
    }

    @Test
    void whatTheDrainTimeEndsIsTold() throws Exception {
        Times t = USUAL.times();
        Duration none = Duration.ofMillis(1);
        ServerOptions options = USUAL.withTimes(new Times(t.request(), t.receive(), t.send(), t.idle(), none, t.beat()));
        try (Site site = new Site(Site.DEMO, Site.SMALL, options); ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> stream = all.submit(() -> site.raw(bytes(post("/v1/completions", LONG.formatted(16, true))), false, 8000));
            Future<String> whole = all.submit(() -> site.raw(bytes(post("/v1/completions", LONG.formatted(16, false))), false, 8000));
            await("both run", () -> site.server().engine().status().running() + site.server().engine().status().waiting() > 16);
            site.server().close();
            assertTrue(stream.get().contains("data: {\"error\":"), stream.get());
            assertTrue(whole.get().contains(" 503 "), whole.get());
        }
    }

    @Test
    void aClientThatDoesNotReadIsDropped() throws Exception {
        Times t = USUAL.times();
        ServerOptions options = USUAL.withTimes(new Times(t.request(), t.receive(), Duration.ofSeconds(1), t.idle(), Duration.ofSeconds(1), t.beat()));
        try (Site site = new Site(engine, options)) {
            try (Socket s = new Socket()) {
                s.setReceiveBufferSize(1024);
                s.connect(new java.net.InetSocketAddress("127.0.0.1", site.port()));
                String ask = post("/tokenize", "{\"return_token_strs\":true,\"prompt\":\"" + "word ".repeat(12_000) + "\"}");
                Thread.ofVirtual().start(() -> {
                    try {
                        for (int i = 0; i < 100; i++) {
                            s.getOutputStream().write(ask.getBytes(StandardCharsets.US_ASCII));
                        }
                    } catch (java.io.IOException e) {
                        assertFalse(e.getMessage().isEmpty());
                    }
                });
                await("it is dropped", () -> site.log().stream().anyMatch(l -> l.contains("\"slow\":true")));
            }
            assertEquals(200, site.get("/health/ready").statusCode());
        }
    }

    @Test
    void whatRunsEndsBeforeTheServerDoes() throws Exception {
        Site site = new Site(engine, USUAL);
        CompletableFuture<Integer> tokens = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                tokens.complete(site.stream("/v1/completions",
                        "{'prompt':'Once','ignore_eos':true,'max_tokens':200,'n':4,'stream':true,'stream_options':{'include_usage':true}}")
                        .getLast().get("usage").get("completion_tokens").intValue());
            } catch (Exception | AssertionError e) {
                tokens.completeExceptionally(e);
            }
        });
        await("all of it is taken", () -> {
            EngineStatus now = site.server().engine().status();
            return now.running() + now.suspended() + now.waiting() == 4 || tokens.isDone();
        });
        try (Socket half = site.socket()) {
            half.getOutputStream().write(("POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 14\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            BufferedReader in = new BufferedReader(new InputStreamReader(half.getInputStream(), StandardCharsets.US_ASCII));
            assertTrue(in.readLine().contains("100"), "its body is waited for");
            Thread closing = Thread.ofVirtual().start(site.server()::close);
            int readiness = 200;
            while (readiness == 200) {
                readiness = site.get("/health/ready").statusCode();
            }
            assertEquals(503, readiness);
            HttpResponse<String> late = site.post("/v1/completions", "{\"prompt\":\"a\"}");
            assertEquals(503, late.statusCode(), late.body());
            half.getOutputStream().write("{\"prompt\":\"a\"}".getBytes(StandardCharsets.US_ASCII));
            in.readLine();
            assertTrue(in.readLine().contains("503"), "it is not begun");
            closing.join();
        }
        assertEquals(4 * 200, tokens.get());
        site.close();
    }

    @Test
    void certificatesAreReadFromPkcs12AndPem(@TempDir Path folder) throws Exception {
        Path store = folder.resolve("store.p12");
        Process p = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "a", "-keyalg",
                "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1", "-storetype", "PKCS12", "-keystore", store.toString(),
                "-storepass", "secret").redirectErrorStream(true).start();
        String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, p.waitFor(), said);
        Path[] pem = Certified.pem(store, "secret", folder);
        for (ServerOptions.Tls tls : List.of(new ServerOptions.Tls.Pkcs12(store, "secret"), new ServerOptions.Tls.Pem(pem[0], pem[1]))) {
            try (Site site = new Site(engine, USUAL.withAccess(new Access(List.of(), List.of(), Optional.of(tls))))) {
                assertTrue(site.at("/").toString().startsWith("https://"));
                assertEquals("{\"status\":\"live\"}", Certified.get(site.at("/health/live"), store, "secret"));
            }
        }
        assertTrue(Files.exists(store));
    }

    @Test
    void aSharedBeginningIsFoundAgain() throws Exception {
        try (Site site = new Site(Site.DEMO, Site.SMALL.withPool(64, 16, true), USUAL)) {
            String ask = "{'temperature':0,'messages':[{'role':'system','content':'" + "Answer in one short sentence. ".repeat(4)
                    + "'},{'role':'user','content':'What is the capital of France?'}]}";
            var first = site.ok("/v1/chat/completions", ask);
            var second = site.ok("/v1/chat/completions", ask);
            assertEquals(0, first.get("usage").get("prompt_tokens_details").get("cached_tokens").intValue());
            int cached = second.get("usage").get("prompt_tokens_details").get("cached_tokens").intValue();
            assertTrue(cached >= 16 && cached < second.get("usage").get("prompt_tokens").intValue(), "cached " + cached);
            assertEquals(first.get("choices").get(0).get("message"), second.get("choices").get(0).get("message"));
            assertTrue(site.get("/metrics").body().contains("poot_prefix_hit_tokens_total " + cached));
        }
    }
}
