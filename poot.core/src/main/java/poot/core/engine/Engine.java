package poot.core.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import poot.api.driver.AdmitException;
import poot.api.driver.AdmitFault;
import poot.api.driver.DriverOptions;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.model.ModelConfig;

/**
 * Serves many requests with one driver. One thread drives it: before each step it ends what was cancelled or is late,
 * gives free rows to the requests waiting longest, and plans the step; after it, tokens are handed to their tickets and
 * finished rows are free at once. A request's tokens do not depend on the requests beside it, on how its prompt is cut,
 * on what was found cached, or on whether it was suspended for a while.
 *
 * <p>Requests are admitted in order of submission. A row that needs blocks of the cache while none is free takes them
 * from the youngest row, which keeps its place and is computed again later; the oldest goes on in every step, so each
 * request ends.
 *
 * <p>Safe for use by several threads.
 */
public final class Engine implements AutoCloseable {
    private final ServingDriver driver;
    private final EngineOptions options;
    private final ModelConfig config;
    private final DriverOptions driverOptions;
    private final Intake intake;
    private final Ledger ledger = new Ledger();
    private final Loop loop;
    private final Thread thread;
    private final LongSupplier clock;
    private final AtomicLong ids = new AtomicLong();

    private Engine(ServingDriver driver, EngineOptions options, LongSupplier clock) {
        this.driver = driver;
        this.options = options;
        this.config = driver.config();
        this.driverOptions = driver.options();
        this.clock = clock;
        this.intake = new Intake(options.waiting(), options.encodeRows());
        this.loop = new Loop(driver, options, intake, ledger, clock);
        this.thread = Thread.ofPlatform().name("poot-engine").daemon(true).unstarted(loop);
    }

    /** Starts an engine. The driver is its own from now on: nobody else may use it, and closing the engine closes it. */
    public static Engine start(ServingDriver driver, EngineOptions options) {
        return start(driver, options, System::nanoTime);
    }

    static Engine start(ServingDriver driver, EngineOptions options, LongSupplier clock) {
        Engine engine = new Engine(driver, options, clock);
        engine.thread.start();
        return engine;
    }

    /** What the model is. */
    public ModelConfig config() {
        return config;
    }

    /** The options the driver was prepared under. */
    public DriverOptions driverOptions() {
        return driverOptions;
    }

    /** The options it was started with. */
    public EngineOptions options() {
        return options;
    }

    /** Has an observer told what happens from now on. */
    public void observe(EngineObserver observer) {
        ledger.observe(observer);
    }

    /**
     * Accepts a request under the engine's own deadlines.
     *
     * @throws SubmitException as {@link #submit(SeqRequest, GenerateLimits, Deadlines)}
     */
    public Ticket submit(SeqRequest request, GenerateLimits limits) throws SubmitException {
        return submit(request, limits, options.deadlines());
    }

    /**
     * Accepts a request: it waits for its turn, and its ticket is told what happens. Returns at once.
     *
     * @throws SubmitException if the request can never be served, the queue is full, or the engine takes nothing new
     */
    public Ticket submit(SeqRequest request, GenerateLimits limits, Deadlines deadlines) throws SubmitException {
        try {
            intake.requireOpen();
            admissible(request);
            Job job = new Job(ids.getAndIncrement(), request, request.prompt().length, limits, deadlines, clock.getAsLong());
            intake.add(job);
            return job;
        } catch (SubmitException e) {
            ledger.refused(e.fault());
            throw e;
        }
    }

    private void admissible(SeqRequest request) throws SubmitException {
        try {
            if (request.logits()) {
                throw new AdmitException(new AdmitFault.Unserved("a generation from full logits", driver.heads()));
            }
            driver.check(request);
        } catch (AdmitException e) {
            throw new SubmitException(new SubmitFault.Admission(e.fault()));
        }
    }

    /**
     * Accepts rows to encode; they are encoded in parts between steps. Cancelling the future drops those not encoded yet.
     *
     * @return the results in the order given, or an {@link EngineException}
     * @throws SubmitException if more rows wait than may, or the engine takes nothing new
     */
    public CompletableFuture<List<EncodeResult>> encode(List<EncodeRow> rows) throws SubmitException {
        EncodeJob job = new EncodeJob(rows);
        if (rows.isEmpty()) {
            job.add(List.of());
            return job.future();
        }
        try {
            intake.add(job);
            return job.future();
        } catch (SubmitException e) {
            ledger.refused(e.fault());
            throw e;
        }
    }

    /** Where it stands, as of the last step. */
    public EngineStatus status() {
        return loop.status();
    }

    /** Whether it takes requests: it is neither draining, broken nor closed. */
    public boolean ready() {
        return intake.open();
    }

    /**
     * Takes nothing new, and waits for what it has, waiting requests too. What is not done in time ends with
     * {@link End#SHUTDOWN}. The engine stays to be closed.
     *
     * @return whether everything was done in time
     * @throws InterruptedException if the thread was interrupted; requests go on, and nothing new is taken
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        intake.drain();
        long nanos = atMost.isNegative() ? 0 : atMost.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : atMost.toNanos();
        if (intake.awaitRest(nanos)) {
            return true;
        }
        intake.abandon();
        intake.awaitRest(Long.MAX_VALUE);
        return false;
    }

    /**
     * Ends everything at once, with {@link End#SHUTDOWN}, waits for the step that is running, and closes the driver.
     * Without effect if closed before.
     */
    @Override
    public void close() {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("an engine's own thread cannot close it: it would wait for itself");
        }
        intake.stop();
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        driver.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
