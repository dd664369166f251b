package poot.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;

/** An engine and its thread, over a driver that follows a script. */
@Timeout(60)
class EngineTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static FakeDriver driver() {
        return new FakeDriver(FakeDriver.options(4, 256, 32).withPool(24, 16, true));
    }

    private static GenerateLimits most(int tokens) {
        return new GenerateLimits(tokens, Set.of());
    }

    /** All events up to the last. */
    private static List<Event> read(Ticket t) throws InterruptedException {
        List<Event> out = new ArrayList<>();
        do {
            out.add(t.next(LONG).orElseThrow());
        } while (!out.getLast().last());
        return out;
    }

    @Test
    void manySubmittersReadersAndCancels() throws Exception {
        FakeDriver driver = driver();
        Engine engine = Engine.start(driver, EngineOptions.DEFAULT.withWaiting(1000).withSharedTokens(16));
        engine.observe(new EngineObserver() {
            @Override
            public void stepped(StepReport step) {
                driver.checkIntegrity();
            }
        });
        try (engine; var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                Random r = new Random(i);
                all.add(threads.submit(() -> one(engine, r)));
            }
            int whole = 0;
            for (Future<Boolean> f : all) {
                whole += f.get() ? 1 : 0;
            }
            assertTrue(whole > 200, whole + " ran to their end");
            assertTrue(engine.drain(LONG));
            EngineTotals totals = engine.status().totals();
            assertEquals(400, totals.submitted());
            assertEquals(400, totals.ends().values().stream().mapToLong(Long::longValue).sum());
            assertEquals(0, engine.status().cache().used());
            assertEquals(4, driver.freeRows());
        }
        assertEquals(1, driver.users().size(), "one thread drives the driver");
        assertTrue(driver.closed());
    }

    private static boolean one(Engine engine, Random r) throws Exception {
        int[] ids = r.ints(1 + r.nextInt(100), 1, FakeDriver.SAFE).toArray();
        SeqRequest request = SeqRequest.of(ids).withSampling(SamplingParams.draw(1, r.nextInt()));
        GenerateLimits limits = new GenerateLimits(1 + r.nextInt(50), Set.of(1, 2, 3));
        Ticket t = engine.submit(request, limits);
        int patience = r.nextInt(4) == 0 ? r.nextInt(20) : Integer.MAX_VALUE;
        List<Event> events = new ArrayList<>();
        do {
            if (r.nextInt(40) == 0) {
                Thread.sleep(r.nextInt(20)); // a slow reader
            }
            events.add(t.next(LONG).orElseThrow());
            if (events.size() > patience) {
                t.cancel();
            }
        } while (!events.getLast().last());
        assertEquals(Optional.empty(), t.next(LONG), "nothing follows, and nobody waits for it");
        assertTrue(t.finished());
        List<Integer> alone = FakeDriver.alone(request, limits, 256);
        boolean cancelled = ((Event.Ended) events.getLast()).end() == End.CANCELLED;
        List<Integer> tokens = Stepped.tokens(events);
        assertEquals(cancelled ? alone.subList(0, tokens.size()) : alone, tokens);
        return !cancelled;
    }

    @Test
    void aSlowReaderDelaysNobody() throws Exception {
        try (Engine engine = Engine.start(driver(), EngineOptions.DEFAULT)) {
            Ticket slow = engine.submit(SeqRequest.of(1), most(200));
            Ticket quick = engine.submit(SeqRequest.of(2), most(200));
            assertEquals(202, read(quick).size());
            assertEquals(202, read(slow).size(), "all of them waited");
        }
    }

    @Test
    void drainingFinishesWhatItHasAndTakesNothingNew() throws Exception {
        FakeDriver driver = driver();
        CountDownLatch go = new CountDownLatch(1);
        driver.during = () -> await(go);
        try (Engine engine = Engine.start(driver, EngineOptions.DEFAULT)) {
            assertTrue(engine.ready());
            List<Ticket> tickets = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                tickets.add(engine.submit(SeqRequest.of(i), most(20)));
            }
            Thread drain = Thread.ofVirtual().start(() -> {
                try {
                    assertTrue(engine.drain(LONG));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            while (engine.ready()) {
                Thread.onSpinWait();
            }
            assertEquals(new SubmitFault.Draining(),
                    assertThrows(SubmitException.class, () -> engine.submit(SeqRequest.of(9), most(1))).fault());
            go.countDown();
            drain.join();
            for (Ticket t : tickets) {
                assertEquals(End.LENGTH, ((Event.Ended) read(t).getLast()).end());
            }
            assertTrue(engine.status().draining());
        }
    }

    @Test
    void whatIsNotDoneWhenTheDrainEndsIsShutDown() throws Exception {
        FakeDriver driver = driver();
        driver.during = () -> sleep(5);
        try (Engine engine = Engine.start(driver, EngineOptions.DEFAULT)) {
            List<Ticket> tickets = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                tickets.add(engine.submit(SeqRequest.of(i), most(200)));
            }
            assertFalse(engine.drain(Duration.ofMillis(60)));
            for (Ticket t : tickets) {
                assertEquals(End.SHUTDOWN, ((Event.Ended) read(t).getLast()).end());
            }
            assertEquals(4, driver.freeRows());
            assertTrue(engine.drain(LONG), "nothing is left");
        }
    }

    @Test
    void closingEndsEverything() throws Exception {
        FakeDriver driver = driver();
        driver.during = () -> sleep(2);
        Engine engine = Engine.start(driver, EngineOptions.DEFAULT);
        List<Ticket> tickets = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            tickets.add(engine.submit(SeqRequest.of(i), most(200)));
        }
        engine.close();
        engine.close();
        for (Ticket t : tickets) {
            assertEquals(End.SHUTDOWN, ((Event.Ended) read(t).getLast()).end());
        }
        assertTrue(driver.closed());
        assertInstanceOf(SubmitFault.Stopped.class,
                assertThrows(SubmitException.class, () -> engine.submit(SeqRequest.of(9), most(1))).fault());
        assertFalse(engine.ready());
        assertEquals(8, engine.status().totals().ends().get(End.SHUTDOWN));
    }

    @Test
    void aBrokenEngineFailsEverybodyAndSaysSo() throws Exception {
        FakeDriver driver = driver();
        CountDownLatch go = new CountDownLatch(1);
        driver.during = () -> {
            await(go);
            throw new IllegalArgumentException("a bug of the driver");
        };
        List<Throwable> broke = new ArrayList<>();
        try (Engine engine = Engine.start(driver, EngineOptions.DEFAULT)) {
            engine.observe(new EngineObserver() {
                @Override
                public void broke(Throwable cause) {
                    broke.add(cause);
                }
            });
            List<Ticket> tickets = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                tickets.add(engine.submit(SeqRequest.of(i), most(20)));
            }
            var encode = engine.encode(List.of(EncodeRow.of(1)));
            go.countDown();
            for (Ticket t : tickets) {
                EngineFault fault = assertInstanceOf(Event.Failed.class, read(t).getLast()).fault();
                assertEquals(new EngineFault.Broken("IllegalArgumentException: a bug of the driver"), fault);
            }
            assertInstanceOf(EngineException.class, assertThrows(ExecutionException.class, encode::get).getCause());
            assertFalse(engine.ready());
            assertEquals(new SubmitFault.Stopped("IllegalArgumentException: a bug of the driver"),
                    assertThrows(SubmitException.class, () -> engine.submit(SeqRequest.of(9), most(1))).fault());
            assertTrue(engine.drain(LONG));
            assertFalse(engine.status().ready());
        }
        assertEquals(1, broke.size());
        assertTrue(driver.closed());
    }

    @Test
    void anObserverThatThrowsBreaksTheEngineAndNobodyWaits() throws Exception {
        FakeDriver driver = driver();
        CountDownLatch go = new CountDownLatch(1);
        driver.during = () -> await(go);
        try (Engine engine = Engine.start(driver, EngineOptions.DEFAULT)) {
            engine.observe(new EngineObserver() {
                @Override
                public void ended(End end, Usage usage, Duration sinceSubmit) {
                    throw new IllegalStateException("scripted");
                }
            });
            Ticket first = engine.submit(SeqRequest.of(1), most(1));
            Ticket second = engine.submit(SeqRequest.of(2), most(100));
            go.countDown();
            assertInstanceOf(Event.Ended.class, read(first).getLast());
            assertInstanceOf(Event.Failed.class, read(second).getLast());
        }
    }

    @Test
    void rowsToEncodeAreBounded() throws Exception {
        FakeDriver driver = driver();
        CountDownLatch go = new CountDownLatch(1);
        driver.during = () -> await(go);
        try (Engine engine = Engine.start(driver, EngineOptions.DEFAULT.withEncodeRows(3))) {
            engine.submit(SeqRequest.of(1), most(5)); // holds the engine
            EncodeRow row = EncodeRow.of(1, 2);
            assertEquals(new SubmitFault.TooManyRows(4, 3),
                    assertThrows(SubmitException.class, () -> engine.encode(List.of(row, row, row, row))).fault());
            var two = engine.encode(List.of(row, row));
            assertEquals(new SubmitFault.QueueFull(3, 2),
                    assertThrows(SubmitException.class, () -> engine.encode(List.of(row, row))).fault());
            var dropped = engine.encode(List.of(row));
            dropped.cancel(true);
            go.countDown();
            assertEquals(2, two.get().size());
            assertEquals(List.of(), engine.encode(List.of()).get());
            assertTrue(engine.drain(LONG));
            assertEquals(2, engine.status().totals().encoded());
        }
    }

    @Test
    void observersSeeWhatHappens() throws Exception {
        List<String> seen = new ArrayList<>();
        try (Engine engine = Engine.start(driver(), EngineOptions.DEFAULT)) {
            engine.observe(new EngineObserver() {
                @Override
                public void started(Duration queued, int prompt, int reused) {
                    seen.add("started " + prompt + " " + reused);
                }

                @Override
                public void firstToken(Duration sinceSubmit) {
                    seen.add("first");
                }

                @Override
                public void nextToken(Duration sincePrevious) {
                    seen.add("next");
                }

                @Override
                public void stepped(StepReport step) {
                    seen.add("step " + step.decoding() + " " + step.prefilling() + " " + step.tokens());
                }

                @Override
                public void ended(End end, Usage usage, Duration sinceSubmit) {
                    seen.add(end + " " + usage.generated());
                }
            });
            read(engine.submit(SeqRequest.of(new int[32]), most(2)));
            read(engine.submit(SeqRequest.of(new int[32]), most(1)));
            engine.drain(LONG);
        }
        assertEquals(List.of("started 32 0", "first", "step 0 1 32", "next", "LENGTH 2", "step 1 0 1",
                "started 32 16", "step 0 1 8", "first", "LENGTH 1", "step 0 1 8"), seen);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
