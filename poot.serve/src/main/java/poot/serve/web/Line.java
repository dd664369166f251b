package poot.serve.web;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A client's connection as the server watches it. What it has to do in time is given a deadline: sending a request's
 * head and body, taking what is written to it; past the deadline the thread that waits for it is interrupted, which
 * closes the socket. While an answer is computed, {@link #watch} reads ahead, one buffer at most, to see the client go.
 */
final class Line implements Supplier<byte[]> {
    /** The line of the connection the current thread serves. */
    static final ScopedValue<Line> CURRENT = ScopedValue.newInstance();

    /** What the next bytes belong to. */
    private enum Stage { IDLE, HEAD, REQUEST }

    private final Thread thread;
    private final String client;
    private final Optional<DataReader> source;
    private final Duration head;
    private long deadline;
    private boolean expired;
    private volatile boolean gone;
    /** Touched by the connection's thread alone. */
    private Stage stage = Stage.IDLE;
    /** Bytes that may still come. Touched by the connection's thread alone. */
    private long room = Long.MAX_VALUE;
    /** A read under way or done, not yet asked for; null for none. Touched by the connection's thread alone. */
    private CompletableFuture<Optional<byte[]>> ahead;

    /**
     * A line served by the current thread.
     *
     * @param client the client's address
     * @param source where its bytes come from, if they can be read ahead
     * @param head   how long a request's head may take from its first byte
     */
    Line(String client, Optional<DataReader> source, Duration head) {
        this.client = client;
        this.thread = Thread.currentThread();
        this.source = source;
        this.head = head;
    }

    /** The next bytes; null at the end, as the reader above expects it. */
    @Override
    public byte[] get() {
        byte[] bytes;
        if (ahead == null) {
            bytes = read().orElse(null);
        } else {
            CompletableFuture<Optional<byte[]>> taken = ahead;
            ahead = null;
            try {
                bytes = taken.join().orElse(null);
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException r ? r : e;
            }
        }
        if (bytes == null && stage == Stage.HEAD) {
            throw new CloseConnectionException("the client went within a request's head");
        }
        room -= bytes == null ? 0 : bytes.length;
        if (room < 0) {
            throw new CloseConnectionException("a body's framing does not end");
        }
        if (bytes != null && stage == Stage.IDLE) {
            stage = Stage.HEAD;
            within(head);
        }
        return bytes;
    }

    private Optional<byte[]> read() {
        DataReader reader = source.orElseThrow();
        try {
            reader.ensureAvailable();
            return Optional.of(reader.readBytes(reader.available()));
        } catch (DataReader.InsufficientDataAvailableException e) {
            return Optional.empty();
        }
    }

    /** The head has arrived, or what was written has been taken. */
    void inTime() {
        stage = Stage.REQUEST;
        room = Long.MAX_VALUE;
        synchronized (this) {
            deadline = 0;
        }
    }

    /** Whether a route has the request: it is not the next one's head, which may have come with the one before. */
    boolean inRequest() {
        return stage == Stage.REQUEST;
    }

    /** The client's address. */
    String client() {
        return client;
    }

    /** The next bytes are another request's. */
    void idle() {
        inTime();
        stage = Stage.IDLE;
    }

    /** So many bytes are taken at most until what has a deadline is in time. */
    void atMost(long bytes) {
        room = bytes;
    }

    /** Starts a deadline. */
    synchronized void within(Duration limit) {
        deadline = System.nanoTime() + limit.toNanos() | 1;
    }

    /** Interrupts the thread if its deadline has passed. */
    synchronized void look(long now) {
        if (deadline != 0 && now - deadline > 0) {
            deadline = 0;
            expired = true;
            thread.interrupt();
        }
    }

    /** Whether a deadline has passed. */
    synchronized boolean expired() {
        return expired;
    }

    /** Whether the client was seen to go while it was watched. */
    boolean gone() {
        return gone;
    }

    /** Interrupts the thread: the server stops. */
    void cut() {
        thread.interrupt();
    }

    /** Reads ahead until a byte comes, the client goes, which calls {@code gone}, or the server closes the socket. */
    void watch(Runnable gone) {
        if (source.isEmpty() || ahead != null || source.get().available() > 0) {
            return;
        }
        CompletableFuture<Optional<byte[]>> next = new CompletableFuture<>();
        ahead = next;
        Runnable seen = () -> {
            this.gone = true;
            gone.run();
        };
        Thread.ofVirtual().name("watch").start(() -> readAhead(next, seen));
    }

    private void readAhead(CompletableFuture<Optional<byte[]>> next, Runnable gone) {
        while (true) {
            try {
                Optional<byte[]> bytes = read();
                if (bytes.isEmpty()) {
                    gone.run();
                }
                next.complete(bytes);
                return;
            } catch (UncheckedIOException e) {
                if (!(e.getCause() instanceof SocketTimeoutException)) {
                    gone.run();
                    next.completeExceptionally(e);
                    return;
                }
            } catch (RuntimeException e) {
                gone.run();
                next.completeExceptionally(e);
                return;
            }
        }
    }
}
