package poot.core.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import poot.api.driver.AdmitException;
import poot.api.driver.Pick;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepException;
import poot.api.driver.StepFault;

/** The requests with a row, the oldest first, and what happens to each between steps. For the engine's thread. */
final class Rows {
    private final ServingDriver driver;
    private final Ledger ledger;
    private final LongSupplier clock;
    private final List<Row> rows = new ArrayList<>();
    private Optional<Job> opening = Optional.empty();

    Rows(ServingDriver driver, Ledger ledger, LongSupplier clock) {
        this.driver = driver;
        this.ledger = ledger;
        this.clock = clock;
    }

    /** A copy: rows may end while it is walked. */
    List<Row> all() {
        return List.copyOf(rows);
    }

    int size() {
        return rows.size();
    }

    /** Rows that wait for blocks. */
    int suspended() {
        return (int) rows.stream().filter(r -> !r.running()).count();
    }

    /** Gives a request a row; where the driver refuses it after all the request fails. */
    void open(Job job) {
        Row row;
        opening = Optional.of(job);
        try {
            row = new Row(job, driver.open(job.request()));
        } catch (AdmitException e) {
            opening = Optional.empty();
            fail(job, new EngineFault.Refused(e.fault()), new Usage(job.prompt(), 0, 0));
            return;
        }
        opening = Optional.empty();
        rows.add(row);
    }

    /** Looks whether more of a row's prompt was cached by now; a row that had to give blocks back waits without any. */
    void lookUp(Row row) {
        Sequence s = row.sequence();
        if (row.yielded() || s.fed() > s.reused()) {
            return;
        }
        try {
            driver.reserve(s, 0);
        } catch (StepException e) {
            fail(row, e.fault());
            return;
        }
        if (s.fed() > 0) {
            row.hold();
        }
    }

    /** Takes note that a row has blocks for the next step. */
    void placed(Row row) {
        row.hold();
        if (!row.started()) {
            row.start();
            Duration queued = since(row.job().submitted());
            row.job().tell(new Event.Started(queued, row.usage().reused()));
            ledger.started(queued, row.usage());
        }
    }

    /** Takes a chosen token: hands it out, and commits it unless the request has ended with it. */
    void picked(Row row, Pick pick) {
        Job job = row.job();
        if (job.limits().stopIds().contains(pick.token())) {
            end(row, End.STOP, OptionalInt.of(pick.token()));
            return;
        }
        long now = clock.getAsLong();
        boolean first = row.count() == 0;
        ledger.token(first, Duration.ofNanos(now - (first ? job.submitted() : row.lastToken())));
        job.tell(new Event.Token(pick, row.count()));
        row.add(pick.token(), now);
        if (row.count() == job.limits().maxTokens()) {
            end(row, End.LENGTH);
            return;
        }
        try {
            driver.commit(row.sequence(), pick.token());
        } catch (StepException e) {
            if (e.fault() instanceof StepFault.CapacityExhausted) {
                end(row, End.CAPACITY);
            } else {
                fail(row, e.fault());
            }
        }
    }

    /** Takes a row's blocks back; it waits for others in its place. */
    void suspend(Row row) {
        int fed = row.sequence().fed();
        boolean started = row.started();
        try {
            driver.suspend(row.sequence());
        } catch (StepException e) {
            fail(row, e.fault());
            return;
        }
        row.suspended();
        if (started) {
            ledger.preempted(fed);
        }
    }

    /**
     * Starts a row over whose state another row's failure left undefined: a new sequence of the same request is given the
     * tokens chosen so far, and goes on behind them.
     */
    void restart(Row row) {
        driver.release(row.sequence());
        try {
            Sequence again = driver.open(row.job().request());
            row.moved(again);
            for (int i = 0; i < row.count(); i++) {
                driver.commit(again, row.token(i));
            }
        } catch (AdmitException e) {
            fail(row, new EngineFault.Refused(e.fault()));
        } catch (StepException e) {
            fail(row, e.fault());
        }
    }

    /** Ends a row: what it held is free before its caller knows. */
    void end(Row row, End end) {
        end(row, end, OptionalInt.empty());
    }

    private void end(Row row, End end, OptionalInt stopId) {
        remove(row);
        end(row.job(), end, row.usage(), stopId);
    }

    void fail(Row row, StepFault fault) {
        fail(row, new EngineFault.Step(fault));
    }

    void fail(Row row, EngineFault fault) {
        remove(row);
        fail(row.job(), fault, row.usage());
    }

    /** Ends a request that never had a row. */
    void end(Job job, End end) {
        end(job, end, new Usage(job.prompt(), 0, 0), OptionalInt.empty());
    }

    private void end(Job job, End end, Usage usage, OptionalInt stopId) {
        ledger.ended(end, usage, since(job.submitted()));
        job.tell(new Event.Ended(end, usage, stopId));
    }

    private void fail(Job job, EngineFault fault, Usage usage) {
        ledger.failed(fault, usage, since(job.submitted()));
        job.tell(new Event.Failed(fault, usage));
    }

    /** Tells every row's request that it failed and forgets them all; the driver, whose state is unknown, is left alone. */
    void abandon(EngineFault fault) {
        opening.ifPresent(job -> job.tell(new Event.Failed(fault, new Usage(job.prompt(), 0, 0))));
        rows.forEach(row -> row.job().tell(new Event.Failed(fault, row.usage())));
        rows.clear();
    }

    private void remove(Row row) {
        driver.release(row.sequence());
        rows.remove(row);
        row.end();
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(clock.getAsLong() - nanos);
    }
}
