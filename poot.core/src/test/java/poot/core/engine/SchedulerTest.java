package poot.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import poot.api.driver.AdmitFault;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SeqRequest;
import poot.api.driver.StepFault;

/** What the engine does in each round, over a driver that follows a script. */
class SchedulerTest {
    private static SeqRequest prompt(int tokens, int first) {
        int[] ids = new int[tokens];
        Arrays.setAll(ids, i -> 1 + (first * 97 + i) % 800);
        return SeqRequest.of(ids);
    }

    private static Event.Ended ended(Ticket t) throws InterruptedException {
        return ended(Stepped.events(t));
    }

    private static Event.Ended ended(List<Event> events) {
        return assertInstanceOf(Event.Ended.class, events.getLast());
    }

    private static EngineFault failed(Ticket t) throws InterruptedException {
        return assertInstanceOf(Event.Failed.class, Stepped.events(t).getLast()).fault();
    }

    @Test
    void aLongPromptNeverHoldsUpAStream() throws Exception {
        Stepped e = new Stepped(new FakeDriver(FakeDriver.options(4, 4096, 512)), EngineOptions.DEFAULT.withSharedTokens(128));
        Job stream = e.submit(prompt(5, 1), 1000);
        e.round();
        Job big = e.submit(prompt(3000, 2), 4);
        int before = Stepped.tokens(Stepped.events(stream)).size();
        for (int i = 1; i <= 25; i++) {
            e.round();
            assertEquals(1, Stepped.tokens(Stepped.events(stream)).size(), "a token a step");
            StepReport step = e.steps.getLast();
            assertTrue(step.tokens() <= 1 + 128, step.toString());
        }
        assertEquals(1, before);
        assertEquals(1, Stepped.tokens(Stepped.events(big)).size(), "3000 tokens in 23 parts of 128, one of 32 and the rest");
        stream.cancel();
        e.finish();
        assertEquals(End.LENGTH, ended(big).end());
    }

    @Test
    void aPromptAloneIsFedInWholeChunks() throws Exception {
        Stepped e = new Stepped(new FakeDriver(FakeDriver.options(4, 4096, 512)), EngineOptions.DEFAULT);
        e.submit(prompt(1100, 1), 1);
        e.finish();
        assertEquals(List.of(512, 512, 76), e.steps.stream().map(StepReport::tokens).toList());
    }

    @Test
    void aFinishedRowsPlaceIsTakenBeforeTheNextStep() throws Exception {
        Stepped e = new Stepped(new FakeDriver(FakeDriver.options(1, 64, 8)), EngineOptions.DEFAULT);
        Job first = e.submit(prompt(1, 1), 1);
        Job second = e.submit(prompt(1, 2), 1);
        e.round();
        assertEquals(End.LENGTH, ended(first).end());
        e.round();
        assertEquals(End.LENGTH, ended(second).end());
        assertEquals(2, e.steps.size());
    }

    @Test
    void theYoungestGivesItsBlocksAndGoesOnLater() throws Exception {
        FakeDriver driver = new FakeDriver(FakeDriver.options(4, 64, 64).withPool(4, 16, false));
        Stepped e = new Stepped(driver, EngineOptions.DEFAULT);
        Job old = e.submit(prompt(14, 1), 45);
        Job young = e.submit(prompt(14, 2), 20);
        e.round();
        assertEquals(2, e.loop.status().running());
        e.finish();
        assertTrue(e.ledger.totals().preemptions() >= 1, "the pool is too small for both");
        List<Event> events = Stepped.events(young);
        assertEquals(FakeDriver.alone(young.request(), young.limits(), 64), Stepped.tokens(events));
        assertEquals(FakeDriver.alone(old.request(), old.limits(), 64), Stepped.tokens(Stepped.events(old)));
        assertEquals(4, driver.cache().free());
    }

    @Test
    void aSuspendedRequestIsServedBeforeTheQueue() throws Exception {
        Stepped e = new Stepped(new FakeDriver(FakeDriver.options(4, 64, 64).withPool(4, 16, false)), EngineOptions.DEFAULT);
        Job old = e.submit(prompt(14, 1), 45);
        Job young = e.submit(prompt(14, 2), 20);
        while (e.ledger.totals().preemptions() == 0) {
            e.round();
        }
        Job late = e.submit(prompt(1, 3), 1);
        while (!Stepped.events(late).isEmpty() || e.loop.status().waiting() > 0) {
            e.round();
        }
        assertTrue(Stepped.events(young).size() > 2 && !Stepped.events(old).isEmpty());
        e.finish();
        assertEquals(0, e.loop.status().suspended());
    }

    @Test
    void theQueueIsBoundedAndWhatNeverFitsIsRefused() throws Exception {
        try (Engine engine = Engine.start(new FakeDriver(FakeDriver.options(1, 64, 8)), EngineOptions.DEFAULT)) {
            SubmitException long65 = assertThrows(SubmitException.class,
                    () -> engine.submit(prompt(65, 1), new GenerateLimits(1, Set.of())));
            assertEquals(new SubmitFault.Admission(new AdmitFault.TooLong(65, 64)), long65.fault());
            SubmitException logits = assertThrows(SubmitException.class,
                    () -> engine.submit(prompt(1, 1).withLogits(), new GenerateLimits(1, Set.of())));
            assertInstanceOf(SubmitFault.Admission.class, logits.fault());
        }
        Stepped e = new Stepped(new FakeDriver(FakeDriver.options(1, 64, 8)), EngineOptions.DEFAULT.withWaiting(2));
        e.submit(prompt(1, 1), 1);
        e.submit(prompt(1, 2), 1);
        SubmitException full = assertThrows(SubmitException.class, () -> e.submit(prompt(1, 3), 1));
        assertEquals(new SubmitFault.QueueFull(2, 2), full.fault());
        e.round();
        e.submit(prompt(1, 3), 1);
    }

    @Test
    void cancellingFreesEverythingWhereverARequestStands() throws Exception {
        FakeDriver driver = new FakeDriver(FakeDriver.options(3, 256, 8).withPool(16, 16, false));
        Stepped e = new Stepped(driver, EngineOptions.DEFAULT.withStepTokens(8).withSharedTokens(8));
        Job decoding = e.submit(prompt(1, 1), 200);
        Job prefilling = e.submit(prompt(100, 2), 10);
        Job other = e.submit(prompt(150, 3), 10);
        Job queued = e.submit(prompt(10, 4), 10);
        e.round();
        e.round();
        assertEquals(2, driver.openSequences() - e.loop.status().suspended());
        List.of(queued, prefilling, decoding, other).forEach(Ticket::cancel);
        e.round();
        for (Job j : List.of(queued, prefilling, decoding, other)) {
            assertEquals(End.CANCELLED, ended(j).end());
        }
        assertEquals(0, driver.openSequences());
        assertEquals(16, driver.cache().free());
        decoding.cancel();
        e.round();
    }

    @Test
    void requestsThatBeginAlikeComeInTogether() throws Exception {
        for (boolean reuse : new boolean[] {true, false}) {
            FakeDriver driver = new FakeDriver(FakeDriver.options(4, 128, 64).withPool(14, 16, reuse));
            Stepped e = new Stepped(driver, EngineOptions.DEFAULT);
            List<Job> jobs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                jobs.add(e.submit(prompt(100, 1), 10));
            }
            e.round();
            assertEquals(1, e.loop.status().running() - e.loop.status().suspended());
            e.round();
            e.round();
            e.round();
            assertEquals(reuse ? 4 : 1, e.loop.status().running() - e.loop.status().suspended(), "100 tokens take half the pool");
            e.finish();
            for (Job j : jobs) {
                List<Event> events = Stepped.events(j);
                assertEquals(FakeDriver.alone(j.request(), j.limits(), 128), Stepped.tokens(events));
                int reused = ended(events).usage().reused();
                assertTrue(j == jobs.getFirst() ? reused == 0 : reused >= (reuse ? 64 : 0), reused + " reused");
                assertTrue(reused <= (reuse ? 96 : 0), reused + " reused");
            }
            assertEquals(0, e.ledger.totals().preemptions());
        }
    }

    @Test
    void aBeginningThatArrivesTwiceIsFedOnce() throws Exception {
        for (int own : new int[] {1, 40}) {
            FakeDriver driver = new FakeDriver(FakeDriver.options(4, 256, 32).withPool(64, 16, true));
            Stepped e = new Stepped(driver, EngineOptions.DEFAULT.withStepTokens(256).withSharedTokens(256));
            int[] beginning = prompt(160, 1).prompt();
            List<Job> jobs = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int[] ids = Arrays.copyOf(beginning, 160 + own);
                Arrays.fill(ids, 160, ids.length, 7 + i);
                jobs.add(e.submit(SeqRequest.of(ids), 10));
            }
            Job other = e.submit(prompt(50, 4), 10);
            e.round();
            assertEquals(32 + 32, e.steps.getFirst().tokens(), "one of those that begin alike, and the other");
            e.finish();
            for (Job j : jobs) {
                List<Event> events = Stepped.events(j);
                assertEquals(FakeDriver.alone(j.request(), j.limits(), 256), Stepped.tokens(events));
                assertEquals(j == jobs.getFirst() ? 0 : 160, ended(events).usage().reused());
            }
            assertEquals(0, ended(Stepped.events(other)).usage().reused());
            assertEquals(160 + 3 * own + 50 + 4 * 9, e.ledger.totals().fed());
        }
    }

    @Test
    void aRowWaitsForNoOtherWhereNothingIsShared() throws Exception {
        FakeDriver driver = new FakeDriver(FakeDriver.options(4, 256, 32).withPool(64, 16, false));
        Stepped e = new Stepped(driver, EngineOptions.DEFAULT.withStepTokens(256));
        e.submit(prompt(100, 1), 5);
        e.submit(prompt(100, 1), 5);
        e.round();
        assertEquals(64, e.steps.getFirst().tokens());
        e.finish();
    }

    @Test
    void whoseBeginningFailsHalfwayIsFedByItself() throws Exception {
        FakeDriver driver = new FakeDriver(FakeDriver.options(4, 256, 32).withPool(64, 16, true));
        Stepped e = new Stepped(driver, EngineOptions.DEFAULT.withStepTokens(256));
        int[] ids = prompt(160, 1).prompt();
        int[] spoilt = ids.clone();
        spoilt[70] = FakeDriver.SPOILT;
        Job first = e.submit(SeqRequest.of(spoilt), 5);
        Job second = e.submit(SeqRequest.of(ids), 5);
        Job third = e.submit(SeqRequest.of(ids), 5);
        e.finish();
        assertInstanceOf(Event.Failed.class, Stepped.events(first).getLast());
        List<Integer> reused = new ArrayList<>();
        for (Job j : List.of(second, third)) {
            List<Event> events = Stepped.events(j);
            assertEquals(FakeDriver.alone(j.request(), j.limits(), 256), Stepped.tokens(events));
            reused.add(ended(events).usage().reused());
        }
        assertEquals(List.of(64, 144), reused, "what was fed before is kept; the third waits for the second, to their last token");
    }

    @Test
    void aSuspendedRequestCanBeCancelled() throws Exception {
        FakeDriver driver = new FakeDriver(FakeDriver.options(4, 64, 64).withPool(4, 16, true));
        Stepped e = new Stepped(driver, EngineOptions.DEFAULT);
        Job old = e.submit(prompt(14, 1), 45);
        Job young = e.submit(prompt(14, 2), 40);
        while (e.ledger.totals().preemptions() == 0) {
            e.round();
        }
        young.cancel();
        e.finish();
        assertEquals(End.CANCELLED, ended(young).end());
        assertEquals(FakeDriver.alone(old.request(), old.limits(), 64), Stepped.tokens(Stepped.events(old)));
    }

    @Test
    void deadlinesEndRequestsInTheQueueAndInTheirRow() throws Exception {
        Stepped e = new Stepped(new FakeDriver(FakeDriver.options(1, 4096, 8)), EngineOptions.DEFAULT);
        GenerateLimits limits = new GenerateLimits(4000, Set.of());
        Job running = e.submit(prompt(1, 1), limits, Deadlines.NONE.withTotal(Duration.ofMillis(50)));
        Job queued = e.submit(prompt(1, 2), limits, Deadlines.NONE.withQueued(Duration.ofMillis(20)));
        e.finish();
        assertEquals(End.DEADLINE, ended(queued).end());
        List<Event> events = Stepped.events(running);
        assertEquals(End.DEADLINE, ((Event.Ended) events.getLast()).end());
        assertEquals(49, Stepped.tokens(events).size(), "a round takes 1 ms");
    }

    @Test
    void aFaultEndsTheRowsItConcernsAndNoOthers() throws Exception {
        FakeDriver driver = new FakeDriver(FakeDriver.options(4, 64, 8).withPool(16, 16, true));
        Stepped e = new Stepped(driver, EngineOptions.DEFAULT);
        Job well = e.submit(prompt(3, 1), 12);
        e.round();
        e.round();
        Job refused = e.submit(SeqRequest.of(5, FakeDriver.REFUSED), 5);
        Job spoilt = e.submit(SeqRequest.of(5, 6, FakeDriver.SPOILT), 5);
        e.finish();
        assertInstanceOf(StepFault.Invalid.class, assertInstanceOf(EngineFault.Step.class, failed(refused)).fault());
        assertInstanceOf(StepFault.NonFinite.class, assertInstanceOf(EngineFault.Step.class, failed(spoilt)).fault());
        List<Event> events = Stepped.events(well);
        assertEquals(FakeDriver.alone(well.request(), well.limits(), 64), Stepped.tokens(events), "disturbed, and computed again");
        assertEquals(End.LENGTH, ((Event.Ended) events.getLast()).end());
        Job a = e.submit(prompt(3, 1), 12);
        Job fatal = e.submit(SeqRequest.of(FakeDriver.FATAL), 5);
        e.round();
        assertInstanceOf(StepFault.Device.class, assertInstanceOf(EngineFault.Step.class, failed(a)).fault());
        assertInstanceOf(StepFault.Device.class, assertInstanceOf(EngineFault.Step.class, failed(fatal)).fault());
        assertEquals(4, driver.freeRows());
        Job after = e.submit(prompt(3, 1), 12);
        e.finish();
        assertEquals(Stepped.tokens(events), Stepped.tokens(Stepped.events(after)));
    }

    @Test
    void rowsAreEncodedBetweenStepsInParts() throws Exception {
        Stepped e = new Stepped(new FakeDriver(FakeDriver.options(2, 64, 8)), EngineOptions.DEFAULT.withSharedTokens(16));
        Job stream = e.submit(prompt(1, 1), 50);
        List<EncodeRow> rows = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            rows.add(EncodeRow.of(new int[8]));
        }
        EncodeJob many = new EncodeJob(rows);
        EncodeJob bad = new EncodeJob(List.of(EncodeRow.of(FakeDriver.REFUSED)));
        EncodeJob one = new EncodeJob(List.of(EncodeRow.of(1, 2, 3)));
        List.of(many, bad, one).forEach(job -> {
            try {
                e.intake.add(job);
            } catch (SubmitException x) {
                throw new AssertionError(x);
            }
        });
        e.round();
        assertEquals(18, many.left().size(), "two rows of 8 tokens beside a stream");
        assertEquals(1, Stepped.tokens(Stepped.events(stream)).size());
        for (int i = 0; i < 12; i++) {
            e.round();
            assertEquals(1, Stepped.tokens(Stepped.events(stream)).size());
        }
        assertEquals(20, many.future().get().size());
        assertEquals(3, ((EncodeResult.Embedding) one.future().get().getFirst()).vector()[0]);
        CompletableFuture<?> f = bad.future();
        EngineException refused = assertInstanceOf(EngineException.class, assertThrows(ExecutionException.class, f::get).getCause());
        assertInstanceOf(EngineFault.Refused.class, refused.fault());
        assertEquals(0, e.intake.encodes().size());
        assertEquals(0, e.intake.encodeRows());
    }

    @Test
    void chunksAreCountsThatStepsArePreparedFor() {
        Chunks c = new Chunks(512);
        assertEquals(512, c.take(3000, 512));
        assertEquals(128, c.take(3000, 200));
        assertEquals(8, c.take(3000, 8));
        assertEquals(0, c.take(3000, 7));
        assertEquals(7, c.take(7, 512), "8 is the least there is");
        assertEquals(8, c.take(14, 512), "32 would be half empty");
        assertEquals(17, c.take(17, 512));
        assertEquals(32, c.take(60, 512));
        assertEquals(70, c.take(70, 512));
        assertEquals(128, c.cost(70));
        assertEquals(4, new Chunks(4).take(9, 512));
        assertEquals(1, new Chunks(1).take(9, 512));
    }
}
