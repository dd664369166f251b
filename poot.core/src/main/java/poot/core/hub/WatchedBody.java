package poot.core.hub;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The body of an answer, closed when no byte came for a while or nobody wants it any more; reading it then fails. */
final class WatchedBody extends FilterInputStream {
    private final Duration silence;
    private final BooleanSupplier unwanted;
    private final ScheduledFuture<?> watch;
    private volatile long last = System.nanoTime();
    private volatile boolean reading;
    private volatile boolean cut;
    private volatile IOException closing;    // what cutting it ran into

    WatchedBody(InputStream in, Duration silence, BooleanSupplier unwanted, ScheduledExecutorService clock) {
        super(in);
        this.silence = silence;
        this.unwanted = unwanted;
        long period = Math.clamp(silence.toMillis() / 4, 1, 500);
        this.watch = clock.scheduleWithFixedDelay(this::look, period, period, TimeUnit.MILLISECONDS);
    }

    private void look() {
        boolean silent = reading && System.nanoTime() - last > silence.toNanos();
        if (silent || unwanted.getAsBoolean()) {
            cut = true;
            watch.cancel(false);
            try {
                in.close();
            } catch (IOException e) {
                closing = e;
            }
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        last = System.nanoTime();
        reading = true;
        try {
            int n = super.read(into, offset, count);
            if (cut) {
                throw new IOException("the transfer was cut", closing);
            }
            return n;
        } catch (IOException e) {
            if (cut && !unwanted.getAsBoolean()) {
                HttpTimeoutException silent = new HttpTimeoutException("no byte for " + silence.toMillis() + " ms");
                silent.initCause(e);
                throw silent;
            }
            throw e;
        } finally {
            reading = false;
        }
    }

    @Override
    public void close() throws IOException {
        watch.cancel(false);
        super.close();
    }
}
