package poot.core.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import poot.api.driver.RowResult;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepException;
import poot.api.driver.StepFault;

/** What the engine's thread does: ends what is over, admits, steps, encodes, again and again, until it is told to stop. */
final class Loop implements Runnable {
    private final ServingDriver driver;
    private final EngineOptions options;
    private final Intake intake;
    private final Ledger ledger;
    private final LongSupplier clock;
    private final Rows rows;
    private final Gate gate;
    private final StepPlan plan;
    private final Encodes encodes;
    private final int most;
    private volatile EngineStatus status;

    Loop(ServingDriver driver, EngineOptions options, Intake intake, Ledger ledger, LongSupplier clock) {
        this.driver = driver;
        this.options = options;
        this.intake = intake;
        this.ledger = ledger;
        this.clock = clock;
        this.rows = new Rows(driver, ledger, clock);
        this.gate = new Gate(driver);
        this.plan = new StepPlan(driver, options, rows);
        this.encodes = new Encodes(driver, intake, ledger, clock);
        this.most = options.running() == 0 ? driver.freeRows() : Math.min(options.running(), driver.freeRows());
        publish();
    }

    EngineStatus status() {
        return status;
    }

    @Override
    public void run() {
        try {
            while (intake.await(rows.size() > 0)) {
                round();
            }
            endAll();
            intake.stopped("it was closed");
            publish();
            intake.rest();
            ledger.check();
        } catch (RuntimeException | Error e) {
            broke(e);
            throw e;
        }
    }

    /** One step and what surrounds it. */
    void round() {
        sweep();
        admit();
        step();
        encodes.run(rows.size() == 0 ? options.stepTokens() : options.sharedTokens());
        publish();
        ledger.check();
    }

    /** Ends what was cancelled, is late, or is to end with the engine. */
    private void sweep() {
        if (intake.abandoning()) {
            endAll();
            return;
        }
        long now = clock.getAsLong();
        for (Job job : intake.take(job -> job.over(now, false).isPresent())) {
            rows.end(job, job.over(now, false).orElseThrow());
        }
        for (Row row : rows.all()) {
            row.job().over(now, row.started()).ifPresent(end -> rows.end(row, end));
        }
    }

    private void endAll() {
        intake.take(job -> true).forEach(job -> rows.end(job, End.SHUTDOWN));
        rows.all().forEach(row -> rows.end(row, End.SHUTDOWN));
        intake.encodes().forEach(job -> job.fail(new EngineFault.Shutdown()));
    }

    /** Lets rows in that wait for blocks, the oldest first; then, while none waits, requests from the queue. */
    private void admit() {
        for (Row row : rows.all()) {
            if (!row.running() && !letIn(row)) {
                return;
            }
        }
        while (rows.size() < most) {
            Optional<Job> job = intake.poll();
            if (job.isEmpty()) {
                return;
            }
            rows.open(job.get());
            List<Row> all = rows.all();
            if (!all.isEmpty() && !all.getLast().running() && !letIn(all.getLast())) {
                return;
            }
        }
    }

    private boolean letIn(Row row) {
        rows.lookUp(row);
        boolean in = !row.ended() && gate.admits(row, rows.all());
        if (in) {
            row.run();
        }
        return in || row.ended();
    }

    private void step() {
        if (rows.size() == 0) {
            return;
        }
        long from = clock.getAsLong();
        plan.make();
        if (plan.isEmpty()) {
            return;
        }
        List<Row> stepped = plan.rowsOf();
        List<RowResult> results;
        try {
            results = driver.step(plan.work());
        } catch (StepException e) {
            throw new IllegalStateException("a planned step was refused: " + e.getMessage(), e);
        }
        Duration time = Duration.ofNanos(clock.getAsLong() - from);
        for (int i = 0; i < stepped.size(); i++) {
            take(stepped.get(i), results.get(i));
        }
        ledger.stepped(new StepReport(time, plan.decoding(), stepped.size() - plan.decoding(), plan.tokens(), plan.preempted(),
                rows.size(), rows.suspended(), intake.waiting()));
    }

    private void take(Row row, RowResult result) {
        switch (result) {
            case RowResult.Fed f -> { }
            case RowResult.Picked p -> rows.picked(row, p.pick());
            case RowResult.Logits l -> throw new IllegalStateException("logits came back unasked for " + row.job());
            case RowResult.Failed f -> {
                switch (f.fault()) {
                    case StepFault.PoolDry dry -> rows.suspend(row);
                    case StepFault.Disturbed d when !d.by().isEmpty() -> rows.restart(row);
                    default -> rows.fail(row, f.fault());
                }
            }
        }
    }

    private void publish() {
        ledger.submitted(intake.accepted());
        boolean open = intake.open();
        status = new EngineStatus(open, intake.draining(), rows.size(), rows.suspended(), intake.waiting(), intake.encodeRows(),
                driver.cache(), ledger.totals());
    }

    /** Everything in the engine's hands fails: nobody waits for an answer that never comes. */
    private void broke(Throwable cause) {
        String what = cause.getClass().getSimpleName() + (cause.getMessage() == null ? "" : ": " + cause.getMessage());
        intake.stopped(what);
        EngineFault fault = new EngineFault.Broken(what);
        rows.abandon(fault);
        intake.take(job -> true).forEach(job -> job.tell(new Event.Failed(fault, new Usage(job.prompt(), 0, 0))));
        intake.encodes().forEach(job -> job.fail(fault));
        EngineStatus last = status;
        status = new EngineStatus(false, intake.draining(), 0, 0, 0, 0, last.cache(), ledger.totals());
        intake.rest();
        ledger.broke(cause);
    }
}
