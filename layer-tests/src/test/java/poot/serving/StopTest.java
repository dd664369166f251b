package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM to a process that answers sixteen streams and has more waiting. */
@Timeout(120)
class StopTest {
    private static final int STREAMS = 16;
    /** Choices of each: enough rows that nothing ends before the signal comes. */
    private static final int CHOICES = 2;
    private static final int WAITING = 4;
    /** Of a process ended by SIGTERM: 128 + 15. */
    private static final int TERMINATED = 143;

    private static ServeProcess serve(Path folder, String drain) throws IOException {
        return new ServeProcess(folder, "--port", "0", "-m", Site.DEMO.toString(), "--backend", "cpu", "--threads", "1",
                "--running", Integer.toString(CHOICES * STREAMS), "--context", "512", "--drain-timeout", drain);
    }

    private static HttpRequest ask(String url, int tokens, boolean stream) {
        String usage = stream ? ",\"stream_options\":{\"include_usage\":true}" : "";
        String body = "{\"prompt\":\"Once\",\"ignore_eos\":true,\"n\":" + CHOICES + ",\"max_tokens\":" + tokens + ",\"stream\":" + stream + usage + "}";
        return HttpRequest.newBuilder(URI.create(url + "/v1/completions")).header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + ServeProcess.KEY).POST(BodyPublishers.ofString(body)).build();
    }

    /** The events of a stream; {@code running} is told of the first. */
    private static List<String> read(HttpClient client, HttpRequest ask, CountDownLatch running) throws Exception {
        List<String> events = new ArrayList<>();
        var answer = client.send(ask, BodyHandlers.ofInputStream());
        assertEquals(200, answer.statusCode());
        try (var in = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            for (String line; (line = in.readLine()) != null; ) {
                if (line.startsWith("data: ")) {
                    events.add(line.substring("data: ".length()));
                    if (events.size() == 1) {
                        running.countDown();
                    }
                }
            }
        }
        return events;
    }

    /** What a new request meets: a refusal, or a port that is closed. */
    private static String late(HttpClient client, String url) throws InterruptedException {
        try {
            HttpResponse<String> r = client.send(ask(url, 1, false), BodyHandlers.ofString());
            return r.statusCode() + (r.statusCode() == 503 ? " " + Site.read(r.body()).get("error").get("code").stringValue() : " " + r.body());
        } catch (IOException e) {
            return "closed";
        }
    }

    /** How a process ended that was told to stop: what was answered, what requests met that came after, exit status. */
    private record Stopped(List<List<String>> streams, List<HttpResponse<String>> whole, Map<String, Integer> late, int status, long millis) {}

    private static Stopped stop(ServeProcess serve, int tokens) throws Exception {
        String url = serve.url();
        CountDownLatch running = new CountDownLatch(STREAMS);
        try (HttpClient client = HttpClient.newHttpClient(); ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<String>>> streams = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                streams.add(all.submit(() -> read(client, ask(url, tokens, true), running)));
            }
            assertTrue(running.await(60, TimeUnit.SECONDS), "every stream has begun");
            List<Future<HttpResponse<String>>> whole = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                whole.add(all.submit(() -> client.send(ask(url, 8, false), BodyHandlers.ofString())));
            }
            awaitAccepted(client, url, CHOICES * (STREAMS + WAITING));
            serve.terminate();
            long from = System.nanoTime();
            Map<String, Integer> late = new LinkedHashMap<>();
            Thread.sleep(100);
            while (streams.stream().anyMatch(s -> !s.isDone())) {
                late.merge(late(client, url), 1, Integer::sum);
                Thread.sleep(20);
            }
            int status = serve.end(60);
            return new Stopped(all(streams), all(whole), late, status, (System.nanoTime() - from) / 1_000_000);
        }
    }

    private static <T> List<T> all(List<Future<T>> futures) throws Exception {
        List<T> out = new ArrayList<>();
        for (Future<T> f : futures) {
            out.add(f.get());
        }
        return out;
    }

    /** Waits until so many requests are in the engine's hands. */
    private static void awaitAccepted(HttpClient client, String url, int requests) throws Exception {
        HttpRequest ask = HttpRequest.newBuilder(URI.create(url + "/metrics")).header("Authorization", "Bearer " + ServeProcess.KEY).build();
        long accepted = 0;
        for (long end = System.nanoTime() + 30_000_000_000L; accepted < requests; Thread.sleep(5)) {
            assertTrue(System.nanoTime() < end, "they are accepted");
            String metrics = client.send(ask, BodyHandlers.ofString()).body();
            accepted = metrics.lines().filter(l -> l.startsWith("poot_running ") || l.startsWith("poot_waiting "))
                    .mapToLong(l -> Math.round(Double.parseDouble(l.substring(l.indexOf(' '))))).sum();
        }
    }

    @Test
    void whatWasAcceptedIsAnsweredWhole(@TempDir Path folder, TestReporter reporter) throws Exception {
        try (ServeProcess serve = serve(folder, "60")) {
            Stopped s = stop(serve, 400);
            assertEquals(TERMINATED, s.status(), serve.said());
            for (List<String> events : s.streams()) {
                assertEquals("[DONE]", events.getLast());
                assertEquals(CHOICES * 400, Site.read(events.get(events.size() - 2)).get("usage").get("completion_tokens").intValue());
            }
            for (HttpResponse<String> r : s.whole()) {
                assertEquals(200, r.statusCode(), r.body());
                assertEquals(CHOICES * 8, Site.read(r.body()).get("usage").get("completion_tokens").intValue());
            }
            assertFalse(s.late().isEmpty(), "it still ran");
            assertTrue(List.of("503 not_serving", "closed").containsAll(s.late().keySet()), s.late().toString());
            assertEquals(STREAMS + WAITING, serve.log().stream().filter(l -> l.contains("/v1/completions") && l.contains("\"status\":200")).count());
            reporter.publishEntry("drained", STREAMS + " streams and " + WAITING + " whole answers in " + s.millis()
                    + " ms; new requests " + s.late());
        }
    }

    @Test
    void whatTheDeadlineCutsIsToldSo(@TempDir Path folder, TestReporter reporter) throws Exception {
        try (ServeProcess serve = serve(folder, "0")) {
            Stopped s = stop(serve, 500);
            assertEquals(TERMINATED, s.status(), serve.said());
            assertTrue(s.millis() < 15_000, "it waited " + s.millis() + " ms");
            for (List<String> events : s.streams()) {
                assertFalse(events.contains("[DONE]"));
                assertEquals("not_serving", Site.read(events.getLast()).get("error").get("code").stringValue());
            }
            for (HttpResponse<String> r : s.whole()) {
                assertEquals(503, r.statusCode(), r.body());
                assertEquals("not_serving", Site.read(r.body()).get("error").get("code").stringValue());
            }
            reporter.publishEntry("cut", STREAMS + " streams told so, over after " + s.millis() + " ms; new requests " + s.late());
        }
    }
}
