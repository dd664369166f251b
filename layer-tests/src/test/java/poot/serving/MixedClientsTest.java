package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.model.TextCodec;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.core.engine.End;
import poot.core.engine.Engine;
import poot.core.engine.EngineObserver;
import poot.core.engine.EngineOptions;
import poot.core.engine.EngineStatus;
import poot.core.engine.StepReport;
import poot.families.Families;
import poot.serve.config.ServerOptions;
import poot.step.Backend;
import poot.step.Serving;

/**
 * Many clients of one server over a pool of blocks too small for them: requests of 2 to 2,000 tokens, prompt and answer
 * together, most of them short, that come at random; some are read slowly, some not to their end. The text of every
 * answer is that of a run alone, and afterwards nothing is held. 120 requests, or as many as {@code -Dpoot.requests}
 * says.
 */
class MixedClientsTest {
    private static final int REQUESTS = Integer.getInteger("poot.requests", 120);
    private static final int CAPACITY = 2000;
    private static final int ROWS = 16;
    /** One row of 2,000 positions takes 125. */
    private static final int BLOCKS = 128;
    /** Tokens of the longest answer, to a prompt of one token. */
    private static final int LONGEST = REQUESTS < 1000 ? 500 : CAPACITY - 1;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Map<WireClient.Kind, AtomicInteger> asked = new EnumMap<>(WireClient.Kind.class);
    private final AtomicInteger whole = new AtomicInteger();
    private final AtomicLong most = new AtomicLong();
    private final AtomicLong running = new AtomicLong();

    /** A greedy request; {@code n} says which. */
    private record Asked(int[] prompt, int most) {
        static Asked of(int n, int vocabulary) {
            Random r = new Random(n);
            int answer = n == 0 ? 60 : n == 1 ? LONGEST : n % 3 == 0 ? 100 + r.nextInt(200) : 1 + r.nextInt(16);
            int[] ids = new int[n == 0 ? CAPACITY - answer : n == 1 ? 1 : 1 + (int) (Math.pow(r.nextDouble(), 5) * (CAPACITY - answer))];
            Random beginning = new Random(n % 5);
            for (int i = 0; i < ids.length; i++) {
                ids[i] = 3 + (i < 64 ? beginning : r).nextInt(vocabulary - 3);
            }
            return new Asked(ids, answer);
        }

        String body() {
            return "{\"prompt\":" + Arrays.toString(prompt) + ",\"temperature\":0,\"ignore_eos\":true,\"max_tokens\":" + most + "}";
        }

        /** The answer of a driver that does nothing else. */
        String alone(ServingDriver driver, TextCodec codec) throws Exception {
            TextCodec.Stream stream = codec.stream(true);
            stream.next(prompt[prompt.length - 1]);
            StringBuilder text = new StringBuilder();
            for (int id : driver.generate(SeqRequest.of(prompt), new GenerateLimits(most, Set.of()), pick -> true).tokens()) {
                text.append(stream.next(id));
            }
            return text.append(stream.finish()).toString();
        }
    }

    /** What the process holds after a collection, in bytes: of the heap what is used, and what it has of the system. */
    private record Held(long heap, long committed, long direct, long resident) {
        static Held now() throws Exception {
            for (int i = 0; i < 3; i++) {
                System.gc();
                Thread.sleep(50);
            }
            var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
            long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream().mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
            long resident = Files.readAllLines(Path.of("/proc/self/status")).stream().filter(l -> l.startsWith("VmRSS:"))
                    .mapToLong(l -> 1024 * Long.parseLong(l.replaceAll("\\D", ""))).findFirst().orElse(0);
            return new Held(heap.getUsed(), heap.getCommitted(), direct, resident);
        }

        /**
         * Resident bytes more than before that the heap did not take. What it gave back counts for nothing: it need not have been
         * resident, if it was never touched.
         */
        long besideHeap(Held before) {
            return resident - before.resident - Math.max(0, committed - before.committed);
        }

        static String grown(long from, long to) {
            return "%.1f to %.1f MiB".formatted(from / 1048576.0, to / 1048576.0);
        }
    }

    /** The demo model, said to have been made for 2,048 positions. */
    private static Path model(Path folder) throws Exception {
        for (String name : List.of("model.safetensors", "tokenizer.json", "tokenizer_config.json", "generation_config.json")) {
            Files.copy(Site.DEMO.resolve(name), folder.resolve(name));
        }
        String config = Files.readString(Site.DEMO.resolve("config.json"));
        Files.writeString(folder.resolve("config.json"), config.replace("\"max_position_embeddings\": 512", "\"max_position_embeddings\": 2048"));
        return folder;
    }

    @Test
    @Timeout(1200)
    void eachIsAnsweredAsIfItWereAlone(@TempDir Path folder, TestReporter reporter) throws Exception {
        DriverOptions options = DriverOptions.DEFAULT.withCapacity(CAPACITY).withPrefillChunk(128).withHeads(EnumSet.of(HeadKind.GREEDY));
        try (ModelHandle handle = ModelHandle.load(model(folder), Families.registry(), LoadOptions.DEFAULT); Executor executor = Backend.CPU.open()) {
            List<Asked> bodies = new ArrayList<>();
            for (int n = 0; n < Math.max(24, REQUESTS / 4); n++) {
                bodies.add(Asked.of(n, handle.model().config().vocabulary()));
            }
            Map<Asked, String> alone = new HashMap<>();
            try (ServingDriver d = Serving.open(handle, executor, options)) {
                for (Asked a : bodies) {
                    alone.put(a, a.alone(d, handle.text().orElseThrow()));
                }
            }
            ServingDriver driver = Serving.open(handle, executor, options.withRows(ROWS).withPool(BLOCKS, 16, true));
            EngineOptions engineOptions = EngineOptions.DEFAULT.withWaiting(REQUESTS).withStepTokens(256).withSharedTokens(128);
            try (Engine engine = Engine.start(driver, engineOptions)) {
                engine.observe(new EngineObserver() {
                    @Override
                    public void stepped(StepReport step) {
                        driver.checkIntegrity();
                        most.accumulateAndGet(step.waiting(), Math::max);
                        running.accumulateAndGet(step.running() - step.suspended(), Math::max);
                    }
                });
                serve(handle, engine, driver, bodies, alone, reporter);
            }
        }
    }

    private void serve(ModelHandle handle, Engine engine, ServingDriver driver, List<Asked> bodies, Map<Asked, String> alone,
            TestReporter reporter) throws Exception {
        try (Site site = new Site(handle, engine, ServerOptions.DEFAULT)) {
            Random arrivals = new Random(6);
            // Classes, code and the library's buffers come with the first of them.
            send(site, REQUESTS / 3, arrivals, bodies, alone);
            Held before = Held.now();
            long from = System.nanoTime();
            send(site, REQUESTS - REQUESTS / 3, arrivals, bodies, alone);
            double seconds = (System.nanoTime() - from) / 1e9;
            rest(engine);
            Held after = Held.now();
            EngineStatus status = engine.status();
            reporter.publishEntry(figures(status, before, after, seconds));
            assertEquals(0, status.totals().failed());
            assertEquals(ROWS, driver.freeRows());
            assertEquals(0, status.cache().used(), status.cache().toString());
            assertEquals(BLOCKS, status.cache().available());
            driver.checkIntegrity();
            assertTrue(whole.get() > REQUESTS / 2, whole + " came whole");
            assertTrue(status.totals().preemptions() > 0, "the pool is too small");
            assertTrue(status.totals().reused() > 0, "beginnings are shared");
            assertTrue(status.totals().ends().get(End.CANCELLED) > 0, "clients left");
            assertEquals(List.of(), site.log().stream().filter(l -> l.contains("\"event\":\"fault\"")).toList());
            assertTrue(after.heap - before.heap < 8 << 20, "the heap grew from " + before + " to " + after);
            assertTrue(after.direct - before.direct < 1 << 20, "direct buffers grew from " + before + " to " + after);
            assertTrue(after.besideHeap(before) < 96 << 20, "memory beside the heap grew from " + before + " to " + after);
        }
    }

    private void send(Site site, int requests, Random arrivals, List<Asked> bodies, Map<Asked, String> alone) throws Exception {
        List<Asked> order = new ArrayList<>();
        while (order.size() < requests) {
            List<Asked> round = new ArrayList<>(bodies);
            Collections.shuffle(round, arrivals);
            order.addAll(round);
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (Asked a : order.subList(0, requests)) {
                WireClient.Kind kind = kind(arrivals.nextInt(12));
                long seed = arrivals.nextLong();
                asked.computeIfAbsent(kind, k -> new AtomicInteger()).incrementAndGet();
                all.add(threads.submit(() -> {
                    compare(new WireClient(site.port(), kind, new Random(seed)).ask(a.body()), alone.get(a));
                    return null;
                }));
                if (arrivals.nextInt(5) == 0) {
                    Thread.sleep(arrivals.nextInt(100));
                }
            }
            for (Future<?> f : all) {
                f.get();
            }
        }
    }

    private static WireClient.Kind kind(int of12) {
        return switch (of12) {
            case 0 -> WireClient.Kind.LEAVES;
            case 1 -> WireClient.Kind.GIVES_UP;
            case 2, 3 -> WireClient.Kind.SLOW;
            case 4, 5, 6 -> WireClient.Kind.WAITS;
            default -> WireClient.Kind.READS;
        };
    }

    private void compare(WireClient.Outcome outcome, String expected) {
        if (outcome.whole()) {
            whole.incrementAndGet();
            assertEquals(expected, outcome.text());
        } else {
            assertEquals(expected.substring(0, Math.min(expected.length(), outcome.text().length())), outcome.text());
        }
    }

    private static void rest(Engine engine) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (engine.status().running() + engine.status().waiting() > 0) {
            assertTrue(System.nanoTime() < end, "what its clients left ends: " + engine.status());
            Thread.sleep(10);
        }
    }

    private Map<String, String> figures(EngineStatus s, Held before, Held after, double seconds) {
        Map<String, String> out = new LinkedHashMap<>();
        out.put("requests", REQUESTS + " " + asked + ", " + whole + " whole and equal to their runs alone");
        out.put("engine", s.totals().preemptions() + " preemptions, " + s.totals().steps() + " steps, " + s.totals().fed() + " tokens fed, "
                + s.totals().generated() + " generated, " + s.totals().reused() + " of " + s.totals().prompt() + " prompt tokens found cached");
        out.put("queue", running + " running and " + most + " waiting at most");
        out.put("ends", s.totals().ends().toString());
        out.put("cache", s.cache().toString());
        out.put("time", "%.1f s for the last two thirds".formatted(seconds));
        out.put("heap", Held.grown(before.heap, after.heap));
        out.put("direct buffers", Held.grown(before.direct, after.direct));
        out.put("resident beside the heap", "%.1f MiB more".formatted(after.besideHeap(before) / 1048576.0));
        return out;
    }
}
