package poot.core.engine;

import java.time.Duration;
import java.util.Optional;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SeqRequest;

/** An accepted request: what it asks for, when it came, and its events. */
final class Job implements Ticket {
    private final long id;
    private final SeqRequest request;
    private final int prompt;
    private final GenerateLimits limits;
    private final long submitted;
    private final long queuedAtMost;
    private final long totalAtMost;
    private final EventBuffer events = new EventBuffer();
    private volatile boolean cancelled;

    Job(long id, SeqRequest request, int prompt, GenerateLimits limits, Deadlines deadlines, long now) {
        this.id = id;
        this.request = request;
        this.prompt = prompt;
        this.limits = limits;
        this.submitted = now;
        this.totalAtMost = nanos(deadlines.total());
        this.queuedAtMost = Math.min(nanos(deadlines.queued()), totalAtMost);
    }

    private static long nanos(Optional<Duration> d) {
        Duration most = Duration.ofNanos(Long.MAX_VALUE);
        return d.filter(x -> x.compareTo(most) < 0).map(Duration::toNanos).orElse(Long.MAX_VALUE);
    }

    SeqRequest request() {
        return request;
    }

    GenerateLimits limits() {
        return limits;
    }

    /** Nanoseconds of the engine's clock at which it came. */
    long submitted() {
        return submitted;
    }

    /** Why it is to end before its time, as it stands: cancelled, or late. */
    Optional<End> over(long now, boolean started) {
        if (cancelled) {
            return Optional.of(End.CANCELLED);
        }
        return now - submitted >= (started ? totalAtMost : queuedAtMost) ? Optional.of(End.DEADLINE) : Optional.empty();
    }

    void tell(Event event) {
        events.add(event);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public int prompt() {
        return prompt;
    }

    @Override
    public Optional<Event> next(Duration atMost) throws InterruptedException {
        return events.next(atMost);
    }

    @Override
    public void hang(Bell bell) {
        events.hang(bell);
    }

    @Override
    public boolean finished() {
        return events.finished();
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public String toString() {
        return "request " + id + " of " + prompt + " prompt tokens";
    }
}
