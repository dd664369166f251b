package poot.hub;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.core.hub.CachedModel;
import poot.core.hub.HubException;
import poot.core.hub.HubFault;
import poot.core.hub.HubOptions;
import poot.core.hub.Models;

/** Transfers that break off, change, stall, or are done by several at once: in the end the right bytes, or a refusal. */
class BrokenTransfersTest extends HubTest {
    private static final byte[] MODEL = bytes(10 * SEGMENT + 4321, 7);

    private void put() {
        hub.put(REPO, "m.gguf", MODEL);
    }

    private void isRight(CachedModel pulled) throws IOException {
        assertArrayEquals(MODEL, Files.readAllBytes(pulled.path()));
        assertTrue(files(cache()).stream().noneMatch(f -> f.contains(".part") || f.contains(".state") || f.contains(".new")),
                files(cache()).toString());
    }

    @Test
    void truncatedBodiesAreContinued() throws Exception {
        put();
        hub.onNetwork = e -> {
            hub.cut(e, MODEL, 20_000);
            return true;
        };
        HubOptions patient = options().withPatience(Duration.ofSeconds(10), Duration.ofMillis(2), 12);
        isRight(Models.of(patient).pull(ref("hf.co/owner/repo"), p -> {}));
        assertTrue(hub.sent.get() < MODEL.length * 2L, hub.sent + " bytes for " + MODEL.length);
    }

    @Test
    void whatNeverComesIsGivenUpAndContinuedLater() throws Exception {
        put();
        hub.onNetwork = e -> {
            boolean second = StandIn.first(e, "Range").startsWith("bytes=" + SEGMENT);
            if (second) {
                hub.cut(e, MODEL, 0);
            }
            return second;
        };
        HubFault.Broken fault = refused(HubFault.Broken.class, models(), "hf.co/owner/repo", "m.gguf", "pull again");
        assertEquals(MODEL.length, fault.bytes());
        long before = hub.sent.get();
        assertEquals(before, models().cache().unfinished());
        hub.onNetwork = e -> false;
        isRight(pull("hf.co/owner/repo"));
        assertEquals(MODEL.length, hub.sent.get(), "nothing twice");
    }

    @Test
    void aServerWithoutRangesIsReadInOneStream() throws Exception {
        put();
        hub.ranges = false;
        isRight(pull("hf.co/owner/repo"));
        assertEquals(1, hub.contentRequests());
        assertEquals(MODEL.length, hub.sent.get());
    }

    @Test
    void wrongBytesAreRemovedAndNamed() throws Exception {
        hub.put(REPO, StandIn.COMMIT, "m.gguf", new StandIn.Entry(MODEL, true, StandIn.sha256(new byte[1]), MODEL.length));
        hub.put(REPO, StandIn.COMMIT, "config.json", new StandIn.Entry(new byte[3], false, StandIn.git(new byte[4]), 3));
        hub.put(REPO, "model.safetensors", MODEL);
        refused(HubFault.WrongDigest.class, models(), "hf.co/owner/repo:m.gguf", "m.gguf", "SHA-256", StandIn.sha256(MODEL));
        refused(HubFault.WrongDigest.class, models(), "hf.co/owner/repo", "config.json", "git SHA-1");
        assertTrue(files(cache()).stream().noneMatch(f -> f.contains(StandIn.sha256(new byte[1]))), files(cache()).toString());
    }

    @Test
    void contentThatChangesMidwayIsFetchedAnew() throws Exception {
        put();
        byte[] old = bytes(MODEL.length, 8);
        hub.tag = "\"old\"";
        AtomicInteger nth = new AtomicInteger();
        hub.onNetwork = e -> {
            if (nth.incrementAndGet() <= 3) {
                hub.send(e, old);
                return true;
            }
            hub.tag = "\"new\"";
            return false;
        };
        isRight(pull("hf.co/owner/repo"));
        assertTrue(hub.asked.stream().anyMatch(a -> a.ifRange().equals("\"old\"")), "ranges are conditional");
        assertTrue(hub.asked.stream().anyMatch(a -> a.ifRange().equals("\"new\"")), "and follow the new content");
    }

    @Test
    void tagsThatAlwaysChangeAreNotBelieved() throws Exception {
        put();
        AtomicInteger nth = new AtomicInteger();
        hub.onNetwork = e -> {
            hub.tag = "\"" + nth.incrementAndGet() + "\"";
            return false;
        };
        isRight(pull("hf.co/owner/repo"));
    }

    @Test
    void aFileOfAnotherLengthIsRefused() throws Exception {
        hub.put(REPO, StandIn.COMMIT, "m.gguf", new StandIn.Entry(MODEL, true, StandIn.sha256(MODEL), MODEL.length + 5));
        refused(HubFault.Broken.class, models(), "hf.co/owner/repo", "m.gguf", "the hub lists " + (MODEL.length + 5));
    }

    @Test
    void aStalledTransferIsCutAndContinued() throws Exception {
        put();
        AtomicInteger nth = new AtomicInteger();
        hub.onNetwork = e -> {
            boolean stalls = nth.incrementAndGet() <= 2;
            if (stalls) {
                hub.cut(e, MODEL, 10_000);
                sleep(3000);
            }
            return stalls;
        };
        hub.onHub = e -> {
            if (hub.asked.size() == 1) {
                sleep(3000);
            }
            return false;
        };
        HubOptions hasty = options().withPatience(Duration.ofMillis(800), Duration.ofMillis(5), 10);
        long start = System.nanoTime();
        isRight(Models.of(hasty).pull(ref("hf.co/owner/repo"), p -> {}));
        assertTrue(nth.get() > 2 && System.nanoTime() - start < 40e9);
    }

    @Test
    void serversThatFailForAWhileAreAskedAgain() throws Exception {
        put();
        AtomicInteger nth = new AtomicInteger();
        StandIn.Answering sometimes = e -> {
            int n = nth.incrementAndGet();
            boolean fails = n % 3 == 0;
            if (fails) {
                e.sendResponseHeaders(n % 2 == 0 ? 500 : 503, -1);
            }
            return fails;
        };
        hub.onHub = sometimes;
        hub.onNetwork = sometimes;
        HubOptions patient = options().withPatience(Duration.ofSeconds(10), Duration.ofMillis(2), 12);
        isRight(Models.of(patient).pull(ref("hf.co/owner/repo"), p -> {}));
    }

    /** Every fault at once, in an order that a seed decides: the right bytes or a refusal, and the bytes once the faults end. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whateverHappensTheBytesAreRightOrRefused(long seed) throws Exception {
        put();
        Random random = new Random(seed);
        byte[] other = bytes(MODEL.length, 99);
        hub.onNetwork = e -> {
            int what;
            int n;
            synchronized (random) {
                what = random.nextInt(24);
                n = random.nextInt(SEGMENT);
            }
            switch (what) {
                case 0, 1, 2 -> hub.cut(e, MODEL, n);
                case 3 -> e.sendResponseHeaders(500 + n % 5, -1);
                case 4 -> e.sendResponseHeaders(403, -1);
                case 5 -> e.sendResponseHeaders(416, -1);
                case 6 -> hub.send(e, other);
                case 7 -> hub.tag = "\"" + n + "\"";
                case 8 -> hub.ranges = n % 2 == 0;
                case 9 -> hub.cut(e, Arrays.copyOf(MODEL, MODEL.length + 1), n);
                case 10 -> e.close();
                default -> { }
            }
            return what < 7 || what > 8 && what < 11;
        };
        try {
            isRight(Models.of(options().withPatience(Duration.ofSeconds(5), Duration.ofMillis(1), 5)).pull(ref("hf.co/owner/repo"), p -> {}));
        } catch (HubException e) {
            assertEquals(List.of(), models().cache().list(), e.getMessage());
        }
        hub.onNetwork = e -> false;
        hub.ranges = true;
        isRight(pull("hf.co/owner/repo"));
    }

    @Test
    void aSignedAddressThatExpiredIsAskedForAgain() throws Exception {
        put();
        AtomicInteger nth = new AtomicInteger();
        hub.onNetwork = e -> {
            boolean expired = nth.incrementAndGet() == 4;
            if (expired) {
                e.sendResponseHeaders(403, -1);
            }
            return expired;
        };
        isRight(pull("hf.co/owner/repo"));
    }

    @Test
    void aKilledPullIsContinued() throws Exception {
        put();
        hub.pause = 250;
        Process killed = new ProcessBuilder(puller()).redirectErrorStream(true).start();
        while (models().cache().unfinished() < 3L * SEGMENT && killed.isAlive()) {
            sleep(5);
        }
        assertTrue(killed.isAlive(), () -> output(killed));
        killed.destroyForcibly().waitFor();
        assertEquals(List.of(), models().cache().list());
        long unfinished = models().cache().unfinished();
        assertTrue(unfinished >= 3L * SEGMENT && unfinished < MODEL.length, unfinished + " bytes came");
        while (hub.open.get() > 0) {
            sleep(5);
        }
        hub.pause = 0;
        long before = hub.sent.get();
        isRight(pull("hf.co/owner/repo"));
        assertEquals(MODEL.length, unfinished + hub.sent.get() - before, "what came before was not fetched again");
        assertEquals(0, models().cache().unfinished());
    }

    @Test
    void bytesSpoiledAfterAKillAreFetchedAnew() throws Exception {
        put();
        hub.onNetwork = e -> {
            boolean last = StandIn.first(e, "Range").startsWith("bytes=" + 5 * SEGMENT);
            if (last) {
                e.sendResponseHeaders(404, -1);
            }
            return last;
        };
        refused(HubFault.Refused.class, models(), "hf.co/owner/repo", "404");
        Path part = cache().resolve("models/owner/repo/blobs/" + StandIn.sha256(MODEL) + ".part");
        byte[] spoiled = Files.readAllBytes(part);
        spoiled[17] ^= 1;
        Files.write(part, spoiled);
        hub.onNetwork = e -> false;
        isRight(pull("hf.co/owner/repo"));
    }

    @Test
    void ofSeveralProcessesOnePulls() throws Exception {
        put();
        hub.pause = 5;
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(new ProcessBuilder(puller()).redirectErrorStream(true).start());
        }
        List<String> paths = new ArrayList<>();
        for (Process p : all) {
            paths.add(output(p).strip());
            assertEquals(0, p.waitFor(), paths.toString());
        }
        assertEquals(1, paths.stream().distinct().count(), paths.toString());
        assertArrayEquals(MODEL, Files.readAllBytes(Path.of(paths.getFirst())));
        assertEquals(MODEL.length, hub.sent.get());
    }

    @Test
    void ofSeveralThreadsOnePulls() throws Exception {
        put();
        hub.pause = 2;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<CachedModel> pulling = () -> pull("hf.co/owner/repo");
            for (Future<CachedModel> f : threads.invokeAll(List.of(pulling, pulling, pulling, pulling))) {
                isRight(f.get());
            }
        }
        assertEquals(MODEL.length, hub.sent.get());
    }

    @Test
    void whatIsBeingPulledIsNotRemoved() throws Exception {
        put();
        hub.pause = 150;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<CachedModel> pulling = threads.submit(() -> pull("hf.co/owner/repo"));
            while (hub.sent.get() == 0) {
                sleep(2);
            }
            assertEquals(HubFault.InUse.class, assertThrows(HubException.class,
                    () -> models().cache().remove(ref("hf.co/owner/repo"))).fault().getClass());
            isRight(pulling.get());
        }
        assertNotEquals(0, models().cache().remove(ref("hf.co/owner/repo")).freed());
    }

    private List<String> puller() {
        URI at = hub.endpoint();
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path").replace("\n", File.pathSeparator),
                Puller.class.getName(), at.toString(), cache().toString(), "hf.co/owner/repo");
    }

    private static String output(Process p) {
        try (var in = p.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
