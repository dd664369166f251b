package poot.serve.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A line a refusal, so many a minute, and none forgotten. */
class RefusalLogTest {
    private long now = Long.MAX_VALUE - 5;

    @Test
    void aFloodIsCounted() {
        List<String> lines = new ArrayList<>();
        RefusalLog log = new RefusalLog(new ServeLog(lines::add), () -> now);
        for (int i = 0; i < 200; i++) {
            log.refused("req-" + i, 400, "192.0.2.1");
            now += 1_000_000;
        }
        assertEquals(RefusalLog.MOST, lines.size());
        assertTrue(lines.getFirst().contains("\"event\":\"refused\",\"request\":\"req-0\",\"status\":400,\"client\":\"192.0.2.1\""), lines.getFirst());
        lines.forEach(l -> assertFalse(l.contains("unsaid") || l.contains("\n"), l));
        now += 60_000_000_000L;
        log.refused("req-a", 414, "192.0.2.1");
        log.refused("req-b", 414, "192.0.2.1");
        assertTrue(lines.get(RefusalLog.MOST).endsWith("\"unsaid\":" + (200 - RefusalLog.MOST) + "}"), lines.getLast());
        assertFalse(lines.getLast().contains("unsaid"));
    }
}
