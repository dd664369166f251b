package poot.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;

/**
 * Random requests, pools and cancellations. In every round: blocks have one owner state each, no step exceeds its budget,
 * rows are given in the order of submission, and the oldest request comes closer to its end. Each request gets the tokens
 * it gets alone.
 */
class RandomScheduleTest {
    private static final int SCHEDULES = 16;
    private static final int REQUESTS = 40;

    private record Sizes(int rows, int capacity, int chunk, int positions, int blocks, boolean reuse, EngineOptions engine) {
        static Sizes random(Random r) {
            int capacity = 16 + r.nextInt(200);
            int positions = 1 + r.nextInt(16);
            int least = Math.ceilDiv(capacity, positions);
            EngineOptions engine = EngineOptions.DEFAULT.withWaiting(REQUESTS).withRunning(r.nextInt(3))
                    .withStepTokens(8 + r.nextInt(100)).withSharedTokens(8 + r.nextInt(40));
            return new Sizes(1 + r.nextInt(8), capacity, 1 + r.nextInt(64), positions, least + r.nextInt(1 + least / 2), r.nextBoolean(),
                    engine);
        }

        FakeDriver driver() {
            DriverOptions o = FakeDriver.options(rows, capacity, chunk);
            return new FakeDriver(blocks % 7 == 0 ? o : o.withPool(blocks, positions, reuse));
        }
    }

    private final Map<Job, List<Event>> events = new LinkedHashMap<>();

    private static SeqRequest request(Random r, int capacity) {
        int[] ids = new int[1 + r.nextInt(r.nextInt(4) == 0 ? capacity : Math.max(1, capacity / 4))];
        int shared = r.nextInt(3); // prompts that begin alike
        Arrays.setAll(ids, i -> i < 40 ? 1 + shared * 50 + i : 1 + r.nextInt(FakeDriver.SAFE - 1));
        return SeqRequest.of(ids).withSampling(SamplingParams.draw(1, r.nextInt(3)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anySchedule(long seed) throws Exception {
        Random r = new Random(seed);
        long preemptions = 0;
        long hits = 0;
        for (int i = 0; i < SCHEDULES; i++) {
            Stepped e = run(r, Sizes.random(r));
            preemptions += e.ledger.totals().preemptions();
            hits += e.ledger.totals().reused();
        }
        assertTrue(preemptions > 10, preemptions + " preemptions");
        assertTrue(hits > 100, hits + " tokens reused");
    }

    private Stepped run(Random r, Sizes sizes) throws Exception {
        events.clear();
        FakeDriver driver = sizes.driver();
        Stepped e = new Stepped(driver, sizes.engine);
        int stale = 0;
        for (int round = 0; events.size() < REQUESTS || e.loop.status().running() + e.intake.waiting() > 0; round++) {
            while (events.size() < REQUESTS && r.nextInt(3) == 0) {
                GenerateLimits limits = new GenerateLimits(1 + r.nextInt(100), r.nextBoolean() ? Set.of() : Set.of(3, 5, 7));
                events.put(e.submit(request(r, sizes.capacity), limits, Deadlines.NONE), new ArrayList<>());
            }
            if (r.nextInt(12) == 0 && !events.isEmpty()) {
                List<Job> all = List.copyOf(events.keySet());
                all.get(r.nextInt(all.size())).cancel();
            }
            stale = check(e, sizes) ? 0 : stale + 1;
            assertTrue(stale <= Math.ceilDiv(sizes.capacity, Math.min(8, sizes.chunk)) + 2, sizes + ": the oldest stands still");
        }
        for (Map.Entry<Job, List<Event>> entry : events.entrySet()) {
            finished(entry.getKey(), entry.getValue(), sizes);
        }
        List<SeqRequest> order = new ArrayList<>(events.keySet().stream().map(Job::request).toList());
        order.retainAll(driver.opened());
        assertEquals(order, driver.opened(), "rows are given in the order of submission");
        assertEquals(sizes.rows, driver.freeRows());
        assertEquals(0, driver.cache().used());
        return e;
    }

    /** Makes a round; whether the oldest request got a token or ended. */
    private boolean check(Stepped e, Sizes sizes) throws Exception {
        List<Job> live = events.entrySet().stream().filter(x -> x.getValue().isEmpty() || !x.getValue().getLast().last())
                .map(Map.Entry::getKey).toList();
        int steps = e.steps.size();
        long before = live.isEmpty() ? 0 : events.get(live.getFirst()).stream().filter(Event.Token.class::isInstance).count();
        e.round();
        for (Map.Entry<Job, List<Event>> entry : events.entrySet()) {
            entry.getValue().addAll(Stepped.events(entry.getKey()));
        }
        if (e.steps.size() > steps) {
            budget(e.steps.getLast(), sizes);
        } else {
            assertTrue(live.stream().allMatch(j -> !events.get(j).isEmpty() && events.get(j).getLast().last()),
                    "no step, though requests live");
        }
        if (live.isEmpty()) {
            return true;
        }
        List<Event> oldest = events.get(live.getFirst());
        return oldest.stream().filter(Event.Token.class::isInstance).count() > before || !oldest.isEmpty() && oldest.getLast().last();
    }

    private static void budget(StepReport step, Sizes sizes) {
        int rows = sizes.engine.running() == 0 ? sizes.rows : Math.min(sizes.rows, sizes.engine.running());
        assertTrue(step.running() <= rows, step.toString());
        int prompt = step.tokens() - step.decoding();
        int most = step.decoding() == 0 ? sizes.engine.stepTokens()
                : Math.min(sizes.engine.sharedTokens(), sizes.engine.stepTokens() - step.decoding());
        assertTrue(prompt <= Math.max(8, most), step + " of " + sizes.engine);
    }

    private static void finished(Job job, List<Event> events, Sizes sizes) {
        assertTrue(events.getLast().last(), job.toString());
        List<Integer> tokens = Stepped.tokens(events);
        List<Integer> alone = FakeDriver.alone(job.request(), job.limits(), sizes.capacity);
        Event.Ended end = (Event.Ended) events.getLast();
        boolean whole = end.end() != End.CANCELLED;
        assertEquals(whole ? alone : alone.subList(0, tokens.size()), tokens, () -> job + " " + sizes);
        assertEquals(tokens.size(), end.usage().generated());
        List<Integer> places = events.stream().filter(Event.Token.class::isInstance).map(x -> ((Event.Token) x).index()).toList();
        assertEquals(java.util.stream.IntStream.range(0, tokens.size()).boxed().collect(Collectors.toList()), places);
    }
}
