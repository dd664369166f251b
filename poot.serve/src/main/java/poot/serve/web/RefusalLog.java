package poot.serve.web;

import java.util.function.LongSupplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says what was refused before it was a request: a line each, {@value #MOST} a minute at most. How many more there were is
 * told by the next line. Safe for use by several threads.
 */
final class RefusalLog {
    static final int MOST = 30;
    private static final long MINUTE = 60_000_000_000L;

    private final ServeLog log;
    private final LongSupplier clock;
    private long began;
    private int said;
    private long unsaid;

    /**
     * Refusals of one port.
     *
     * @param clock nanoseconds
     */
    RefusalLog(ServeLog log, LongSupplier clock) {
        this.log = log;
        this.clock = clock;
        this.began = clock.getAsLong();
    }

    /** A client was refused. */
    void refused(String id, int status, String client) {
        long before;
        synchronized (this) {
            long now = clock.getAsLong();
            if (now - began >= MINUTE) {
                began = now;
                said = 0;
            }
            if (said == MOST) {
                unsaid++;
                return;
            }
            said++;
            before = unsaid;
            unsaid = 0;
        }
        ObjectNode line = log.line("refused").put("request", id).put("status", status).put("client", client);
        if (before > 0) {
            line.put("unsaid", before);
        }
        log.write(line);
    }
}
