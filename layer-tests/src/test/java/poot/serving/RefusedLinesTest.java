package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What the log says of two hundred requests that cannot be read: lines, few of them, and no stack traces. */
class RefusedLinesTest {
    private static final String HEAD = " HTTP/1.1\r\nHost: a\r\n";
    private static final List<String> BAD = List.of("FOO{} /v1/models" + HEAD + "\r\n", "GET /%zz" + HEAD + "\r\n",
            "GET /health/live" + HEAD + "Bad(name: x\r\n\r\n", "POST /v1/completions" + HEAD + "Content-Length: x\r\n\r\n", "\0\1\2\r\n\r\n",
            "GET /health/live HTTP/1.0\r\n\r\n", "GET /health/live" + HEAD + "\r\nFOO{} /" + HEAD + "\r\n",
            "POST /v1/completions" + HEAD + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");

    /** Keeps what the library logs. */
    private static final class Kept extends Handler {
        private final List<LogRecord> records = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            records.add(entry);
        }

        @Override
        public void flush() {
            // Nothing is held back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @Test
    void twoHundredAreLinesAndFew() throws Exception {
        Kept kept = new Kept();
        Logger root = Logger.getLogger("");
        try (Site site = Site.demo()) {
            root.addHandler(kept);
            long from = System.nanoTime();
            int answered = 0;
            for (int i = 0; i < 200; i++) {
                String answer = site.raw(BAD.get(i % BAD.size()).getBytes(StandardCharsets.ISO_8859_1), false, 8000);
                assertFalse(answer.contains(" 500 "), answer);
                answered += answer.contains("HTTP/1.1 400 ") ? 1 : 0;
            }
            assertEquals(200, answered, "each is told");
            List<String> refused = site.log().stream().filter(l -> l.contains("\"event\":\"refused\"")).toList();
            long minutes = 1 + (System.nanoTime() - from) / 60_000_000_000L;
            assertTrue(refused.size() >= 30 && refused.size() <= 30 * minutes, refused.size() + " of those that no route has seen");
            long requests = site.log().stream().filter(l -> l.contains("\"event\":\"request\"")).count();
            assertEquals(50, requests, "those that came before a bad one, and those whose body was bad");
            assertEquals(refused.size() + requests, site.log().size());
            site.log().forEach(l -> assertTrue(l.length() < 300 && !l.contains("\n"), l));
            assertEquals(List.of(), kept.records.stream().map(r -> r.getLoggerName() + ": " + r.getMessage()).toList());
        } finally {
            root.removeHandler(kept);
        }
    }
}
