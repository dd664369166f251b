package poot.serving;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import poot.serve.config.ServerOptions;
import tools.jackson.databind.JsonNode;

/** What no client should send: each is answered 4xx in the error shape or by the end of the connection, and nothing breaks. */
class HostileTest {
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

    private static Site site;

    @BeforeAll
    static void open() throws Exception {
        ServerOptions.Times t = ServerOptions.DEFAULT.times();
        site = new Site(Site.DEMO, Site.SMALL, ServerOptions.DEFAULT
                .withTimes(new ServerOptions.Times(t.request(), SHORT, SHORT, t.idle(), t.drain(), Duration.ofMillis(200))));
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static void healthy() throws Exception {
        assertEquals("The capital of France is Paris.", site.ok("/v1/chat/completions",
                "{'temperature':0,'messages':[{'role':'user','content':'What is the capital of France?'}]}")
                .get("choices").get(0).get("message").get("content").stringValue());
        assertEquals(200, site.get("/health/ready").statusCode());
        List<String> faults = site.log().stream().filter(l -> l.contains("\"event\":\"fault\"")).toList();
        assertEquals(List.of(), faults);
    }

    private static void refused(String what, int status, String body) {
        assertTrue(status >= 400 && status < 500, what + " is answered " + status + ": " + body);
        JsonNode error = Site.read(body).get("error");
        assertAll(what, () -> assertFalse(error.get("message").stringValue().isBlank()),
                () -> assertEquals("invalid_request_error", error.get("type").stringValue()), () -> assertTrue(error.has("param")),
                () -> assertFalse(error.get("code").stringValue().isBlank()));
    }

    @Test
    void thereAreEnough(TestReporter reporter) {
        int all = Hostile.bodies().size() + Hostile.connections().size();
        reporter.publishEntry("requests", Integer.toString(all));
        assertTrue(all >= 150, "there are " + all);
    }

    @Test
    void malformedBodiesAreRefusedByName() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Hostile.Posted p : Hostile.bodies()) {
            HttpResponse<String> r = site.post(p.path(), Site.json(p.body()));
            String what = p.path() + " " + (p.body().length() > 120 ? p.body().substring(0, 120) + "…" : p.body());
            try {
                refused(what, r.statusCode(), r.body());
            } catch (AssertionError e) {
                wrong.add(e.getMessage());
            }
        }
        assertEquals(List.of(), wrong);
        healthy();
    }

    @Test
    void malformedConnectionsAreRefusedOrClosed() throws Exception {
        try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (Hostile.Raw r : Hostile.connections()) {
                answers.add(all.submit(() -> site.raw(r.bytes(), r.halfClosed(), 8000)));
            }
            List<String> wrong = new ArrayList<>();
            for (int i = 0; i < answers.size(); i++) {
                String name = Hostile.connections().get(i).name();
                String answer = answers.get(i).get();
                var status = STATUS.matcher(answer);
                boolean any = false;
                while (status.find()) {
                    any = true;
                    if (status.group(1).charAt(0) != '4' || !answer.contains("{\"error\":{\"message\":")) {
                        wrong.add(name + ": " + answer);
                    }
                }
                if (!any && !answer.endsWith("<closed>")) {
                    wrong.add(name + ": " + answer);
                }
            }
            assertEquals(List.of(), wrong);
        }
        healthy();
    }

    @Test
    void aPipelineIsAnsweredInOrder() throws Exception {
        String one = "POST /tokenize HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"prompt\":\"%d\"}";
        String end = "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        String all = site.raw((one.formatted(1) + one.formatted(2) + one.formatted(3) + end).getBytes(StandardCharsets.US_ASCII), false, 8000);
        assertEquals(4, STATUS.matcher(all).results().filter(m -> m.group(1).equals("200")).count(), all);
        assertTrue(all.endsWith("{\"status\":\"live\"}<closed>"), all);
    }

    /** What a body may take is known before it is there: neither its chunks nor the lines between them fill the memory. */
    @Test
    void aBodyInChunksIsNoLongerThanAnother() throws Exception {
        String head = "POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
        for (String framing : List.of("Content-Length: 9000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\nabc",
                "Transfer-Encoding: chunked\r\n\r\n" + ("300000\r\n" + " ".repeat(0x300000) + "\r\n").repeat(3))) {
            String answer = site.raw((head + framing).getBytes(StandardCharsets.US_ASCII), false, 8000);
            assertTrue(answer.contains(" 413 ") && answer.contains("\"body_too_large\""), answer);
        }
        try (Socket s = site.socket()) {
            s.getOutputStream().write((head + "Transfer-Encoding: chunked\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] zeros = "0".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
            int sent = 0;
            try {
                for (; sent < 400; sent++) {
                    s.getOutputStream().write(zeros);
                }
            } catch (java.io.IOException e) {
                assertFalse(e.getMessage().isEmpty());
            }
            assertTrue(sent < 60, "a line of " + sent + " MiB is read");
        }
        healthy();
    }

    @Test
    void whatOlderClientsSendIsRefusedByName() throws Exception {
        String old = site.raw("GET /health/live HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII), false, 8000);
        assertTrue(old.contains(" 400 ") && old.contains("HTTP 1.0 is not supported"), old);
        String extended = site.raw(("POST /tokenize HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "e;a=b\r\n{\"prompt\":\"1\"}\r\n0\r\n\r\n").getBytes(StandardCharsets.US_ASCII), false, 8000);
        assertTrue(extended.contains(" 400 ") && extended.contains("badly framed"), extended);
    }

    @Test
    void aHeadThatTricklesIsDropped() throws Exception {
        try (Socket s = site.socket()) {
            long from = System.nanoTime();
            s.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: a\r\n".getBytes(StandardCharsets.US_ASCII));
            boolean dropped = false;
            while (!dropped && System.nanoTime() - from < 8_000_000_000L) {
                try {
                    s.getOutputStream().write('x');
                    s.setSoTimeout(200);
                    dropped = s.getInputStream().read() < 0;
                } catch (java.net.SocketTimeoutException e) {
                    continue;
                } catch (java.io.IOException e) {
                    dropped = true;
                }
            }
            assertTrue(dropped, "one byte every 200 ms keeps the connection open");
        }
        healthy();
    }
}
