package poot.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import poot.acceptance.Repository;
import poot.api.driver.CacheUse;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.core.engine.End;
import poot.core.engine.Engine;
import poot.core.engine.EngineObserver;
import poot.core.engine.EngineOptions;
import poot.core.engine.EngineTotals;
import poot.core.engine.Event;
import poot.core.engine.StepReport;
import poot.core.engine.Ticket;
import poot.families.Families;
import poot.golden.OpenModel;
import poot.step.Backend;
import poot.step.Serving;

/**
 * Requests of all lengths that come at random, some cancelled, some read slowly or not at all, over a pool too small for
 * them: each gets what it gets alone on the CPU from a driver whose rows own their memory. Afterwards nothing is held.
 */
abstract class MixedRequestsSuite {
    private static final Duration LONG = Duration.ofMinutes(2);

    /**
     * How much there is to do.
     *
     * @param requests that share beginnings
     * @param apart   requests that follow and share nothing
     * @param bodies different ones
     * @param capacity tokens of a row, of which no request has more
     * @param blocks of 16 tokens, of all rows
     * @param chunk prompt tokens of a step
     * @param draws some requests draw their tokens or are penalised; else all are greedy
     */
    record Load(int requests, int apart, int bodies, int rows, int capacity, int blocks, int chunk, boolean draws) {}

    private final String model;
    private final Load load;
    private final Opening backend;

    private final Map<Integer, int[]> alone = new HashMap<>();
    private final AtomicInteger whole = new AtomicInteger();

    /** @param model a file of the demo model's folder; empty for the folder */
    MixedRequestsSuite(String model, Load load, Opening backend) {
        this.model = model;
        this.load = load;
        this.backend = backend;
    }

    /** Opens the backend that serves. */
    interface Opening {
        Executor open() throws ExecutorException;
    }

    /** One of some requests that begin alike or not; which of them {@code n} says. */
    private record Asked(SeqRequest request, GenerateLimits limits) {
        static Asked of(int n, int vocabulary, Load load) {
            Random r = new Random(n);
            double skewed = Math.pow(r.nextDouble(), 7);
            int[] ids = new int[1 + (int) (skewed * (load.capacity - 1))];
            Random beginning = new Random(n % 5);
            for (int i = 0; i < ids.length; i++) {
                ids[i] = 3 + (i < 32 ? beginning : r).nextInt(vocabulary - 3);
            }
            SamplingParams s = switch (load.draws ? n % 8 : 7) {
                case 0 -> SamplingParams.draw(0.9f, n).withTopP(0.9f);
                case 1 -> SamplingParams.draw(1.1f, n).withTopK(40).withLogprobs(3);
                case 2 -> SamplingParams.GREEDY.withRepetition(1.2f).withFrequency(0.3f);
                default -> SamplingParams.GREEDY;
            };
            int most = 1 + r.nextInt(r.nextInt(3) == 0 ? 120 : 8);
            return new Asked(SeqRequest.of(ids).withSampling(s), new GenerateLimits(most, n % 4 == 0 ? Set.of(2) : Set.of()));
        }
    }

    @Test
    @Timeout(300)
    void eachGetsWhatItGetsAlone() throws Exception {
        DriverOptions options = DriverOptions.DEFAULT.withCapacity(load.capacity).withPrefillChunk(load.chunk);
        options = load.draws ? options.withLogprobs(3) : options.withHeads(EnumSet.of(HeadKind.GREEDY));
        try (OpenModel m = OpenModel.open(Repository.demoModel().resolve(model).normalize(), Families.registry());
                Executor executor = backend.open()) {
            int vocabulary = m.model().config().vocabulary();
            try (Executor cpu = Backend.CPU.open(); ServingDriver d = Serving.open(m.handle(), cpu, options)) {
                for (int n = 0; n < load.bodies; n++) {
                    Asked asked = Asked.of(n, vocabulary, load);
                    alone.put(n, d.generate(asked.request, asked.limits, pick -> true).tokens());
                }
            }
            for (boolean reuse : new boolean[] {true, false}) {
                DriverOptions pool = options.withRows(load.rows).withPool(load.blocks, 16, reuse);
                serve(Serving.open(m.handle(), executor, pool), vocabulary, reuse ? load.requests : load.apart, reuse);
            }
        }
    }

    private void serve(ServingDriver driver, int vocabulary, int requests, boolean reuse) throws Exception {
        EngineOptions options = EngineOptions.DEFAULT.withWaiting(load.requests).withStepTokens(load.chunk).withSharedTokens(load.chunk / 2);
        try (Engine engine = Engine.start(driver, options); var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            engine.observe(new EngineObserver() {
                @Override
                public void stepped(StepReport step) {
                    driver.checkIntegrity();
                }
            });
            Random arrivals = new Random(6);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < requests; i++) {
                int n = arrivals.nextInt(load.bodies);
                long seed = arrivals.nextLong();
                Asked asked = Asked.of(n, vocabulary, load);
                Ticket ticket = engine.submit(asked.request, asked.limits);
                all.add(threads.submit(() -> {
                    read(ticket, new Random(seed), alone.get(n));
                    return null;
                }));
                if (arrivals.nextInt(20) == 0) {
                    Thread.sleep(arrivals.nextInt(10));
                }
            }
            for (Future<?> f : all) {
                f.get();
            }
            assertTrue(engine.drain(LONG));
            EngineTotals totals = engine.status().totals();
            assertEquals(requests, totals.ends().values().stream().mapToLong(Long::longValue).sum(), "none failed");
            assertTrue(whole.getAndSet(0) > requests / 2, whole + " ran to their end");
            assertTrue(totals.preemptions() > 0, "the pool is too small");
            assertEquals(reuse, totals.reused() > 0, "beginnings are shared");
            CacheUse use = engine.status().cache();
            assertEquals(0, use.used(), use.toString());
            assertEquals(load.rows, driver.freeRows());
        }
    }

    /** Reads a ticket as some client does, and compares. */
    private void read(Ticket ticket, Random r, int[] expected) throws InterruptedException {
        int kind = r.nextInt(10);
        int patience = kind == 0 ? 0 : kind == 1 ? r.nextInt(10) : Integer.MAX_VALUE;
        boolean slow = kind == 2;
        int count = 0;
        while (true) {
            if (count >= patience) {
                ticket.cancel();
            }
            if (slow && r.nextInt(4) == 0) {
                Thread.sleep(r.nextInt(40));
            }
            Optional<Event> event = ticket.next(LONG);
            assertFalse(event.isEmpty(), "nothing came");
            switch (event.get()) {
                case Event.Started s -> { }
                case Event.Token t -> {
                    assertTrue(count < expected.length, "more than alone");
                    assertEquals(expected[count], t.pick().token(), () -> ticket + " at " + t.index());
                    count++;
                }
                case Event.Ended e -> {
                    assertEquals(count, e.usage().generated());
                    if (e.end() != End.CANCELLED) {
                        assertEquals(expected.length, count, ticket.toString());
                        whole.incrementAndGet();
                    }
                    return;
                }
                case Event.Failed f -> throw new AssertionError(f.fault().message());
            }
        }
    }
}
