package poot.core.engine;

import java.util.Arrays;
import poot.api.driver.Sequence;

/** A request with a row of the driver, as the engine's thread keeps it. */
final class Row {
    private final Job job;
    private Sequence sequence;
    private int reused;
    private boolean started;
    private int[] generated = new int[16];
    private int count;
    private long lastToken;
    /** Whether it may take blocks: not while it waits for enough to be free. */
    private boolean running;
    /** Whether it may hold blocks. */
    private boolean holding;
    private boolean yielded;
    private boolean ended;

    Row(Job job, Sequence sequence) {
        this.job = job;
        this.sequence = sequence;
        this.holding = sequence.fed() > 0;
    }

    Job job() {
        return job;
    }

    Sequence sequence() {
        return sequence;
    }

    /** Tokens chosen so far. */
    int count() {
        return count;
    }

    int token(int index) {
        return generated[index];
    }

    void add(int token, long now) {
        if (count == generated.length) {
            generated = Arrays.copyOf(generated, 2 * count);
        }
        generated[count++] = token;
        lastToken = now;
    }

    /** When the last token was chosen. */
    long lastToken() {
        return lastToken;
    }

    boolean running() {
        return running;
    }

    void run() {
        running = true;
    }

    boolean holding() {
        return holding;
    }

    void hold() {
        holding = true;
    }

    /** Whether it was in a step. */
    boolean started() {
        return started;
    }

    /** It is in a step for the first time. */
    void start() {
        started = true;
        reused = sequence.reused();
    }

    /** Whether it had blocks that an older row needed. */
    boolean yielded() {
        return yielded;
    }

    /** Its blocks were given back. */
    void suspended() {
        running = false;
        holding = false;
        yielded = true;
    }

    /** It goes on in another sequence, which holds nothing yet but what was found cached. */
    void moved(Sequence to) {
        sequence = to;
        running = false;
        holding = to.fed() > 0;
    }

    boolean ended() {
        return ended;
    }

    void end() {
        ended = true;
    }

    Usage usage() {
        return new Usage(job.prompt(), reused, count);
    }
}
