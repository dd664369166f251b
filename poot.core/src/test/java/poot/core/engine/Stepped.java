package poot.core.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SeqRequest;

/** An engine without a thread and with a clock of its own: a test makes each round. Integrity is checked after each step. */
final class Stepped {
    final FakeDriver driver;
    final Intake intake;
    final Ledger ledger = new Ledger();
    final Loop loop;
    final List<StepReport> steps = new ArrayList<>();
    long now = 1;
    private long nextId;

    Stepped(FakeDriver driver, EngineOptions options) {
        this.driver = driver;
        this.intake = new Intake(options.waiting(), options.encodeRows());
        ledger.observe(new EngineObserver() {
            @Override
            public void stepped(StepReport step) {
                steps.add(step);
                driver.checkIntegrity();
            }
        });
        this.loop = new Loop(driver, options, intake, ledger, () -> now);
    }

    Job submit(SeqRequest request, int maxTokens) throws SubmitException {
        return submit(request, new GenerateLimits(maxTokens, java.util.Set.of()), Deadlines.NONE);
    }

    Job submit(SeqRequest request, GenerateLimits limits, Deadlines deadlines) throws SubmitException {
        Job job = new Job(nextId++, request, request.prompt().length, limits, deadlines, now);
        intake.add(job);
        return job;
    }

    void round() {
        now += 1_000_000;
        loop.round();
        driver.checkIntegrity();
    }

    /** Rounds until nothing runs or waits. */
    void finish() {
        for (int i = 0; loop.status().running() + intake.waiting() > 0; i++) {
            assertTrue(i < 100_000, "no end of rounds");
            round();
        }
    }

    /** The events there are. */
    static List<Event> events(Ticket ticket) throws InterruptedException {
        List<Event> out = new ArrayList<>();
        for (Optional<Event> e = ticket.next(Duration.ZERO); e.isPresent(); e = ticket.next(Duration.ZERO)) {
            out.add(e.get());
        }
        return out;
    }

    static List<Integer> tokens(List<Event> events) {
        return events.stream().filter(Event.Token.class::isInstance).map(e -> ((Event.Token) e).pick().token()).toList();
    }
}
