package poot.core.engine;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Counts what happens and tells the observers. Used by the engine's thread, but for {@link #observe} and {@link #refused}. */
final class Ledger {
    private final List<EngineObserver> observers = new CopyOnWriteArrayList<>();
    private final Map<End, Long> ends = new EnumMap<>(End.class);
    private Optional<Throwable> thrown = Optional.empty();
    private long submitted;
    private long started;
    private long failed;
    private long prompt;
    private long reused;
    private long generated;
    private long fed;
    private long steps;
    private long preemptions;
    private long encoded;

    void observe(EngineObserver observer) {
        observers.add(observer);
    }

    void refused(SubmitFault fault) {
        observers.forEach(o -> o.refused(fault));
    }

    /** What an observer throws is kept until {@link #check}, so that it interrupts nothing halfway. */
    private void tell(Consumer<EngineObserver> what) {
        try {
            observers.forEach(what);
        } catch (RuntimeException | Error e) {
            thrown = thrown.or(() -> Optional.of(e));
        }
    }

    /** Throws what an observer threw. */
    void check() {
        if (thrown.isPresent()) {
            throw new IllegalStateException("an observer threw " + thrown.get(), thrown.get());
        }
    }

    void submitted(long total) {
        submitted = total;
    }

    void started(Duration queued, Usage usage) {
        started++;
        prompt += usage.prompt();
        reused += usage.reused();
        tell(o -> o.started(queued, usage.prompt(), usage.reused()));
    }

    void token(boolean first, Duration since) {
        generated++;
        tell(o -> {
            if (first) {
                o.firstToken(since);
            } else {
                o.nextToken(since);
            }
        });
    }

    void ended(End end, Usage usage, Duration since) {
        ends.merge(end, 1L, Long::sum);
        tell(o -> o.ended(end, usage, since));
    }

    void failed(EngineFault fault, Usage usage, Duration since) {
        failed++;
        tell(o -> o.failed(fault, usage, since));
    }

    void preempted(int tokens) {
        preemptions++;
        tell(o -> o.preempted(tokens));
    }

    void stepped(StepReport step) {
        steps++;
        fed += step.tokens();
        tell(o -> o.stepped(step));
    }

    void encoded(int rows, Duration time) {
        encoded += rows;
        tell(o -> o.encoded(rows, time));
    }

    void broke(Throwable cause) {
        tell(o -> o.broke(cause));
    }

    EngineTotals totals() {
        return new EngineTotals(submitted, started, ends, failed, prompt, reused, generated, fed, steps, preemptions, encoded);
    }
}
