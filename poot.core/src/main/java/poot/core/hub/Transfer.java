package poot.core.hub;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fetches one file into the cache: in ranges, several at a time, from where an earlier attempt stopped, and checked against
 * its digest before it gets its name. A server that does not answer ranges is read from the start in one stream.
 */
final class Transfer {
    /** What the transfers of a pull share. */
    record Shared(HubOptions options, HubHttp http, Semaphore connections, Meter meter, BooleanSupplier stopped) {}

    private static final int BUFFER = 1 << 17;
    /** Bytes that an attempt must bring not to count as a failure. */
    private static final int PROGRESS = 1 << 13;
    /** Times the content may change while it comes, after which entity tags are not looked at: the digest decides. */
    private static final int CHANGES = 2;
    private static final int RESTARTS = 4;
    private static final Pattern RANGE = Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})");

    /** The server's content is not what came so far. */
    private static final class ChangedException extends Exception {
        private static final long serialVersionUID = 1L;

        ChangedException(String reason) {
            super(reason);
        }
    }

    private final Shared shared;
    private final RepoFile file;
    private final long counted;
    private final Path blob;
    private final URI from;
    private final HubHttp.Wanted wanted;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile int changes;
    private volatile int streams;
    private volatile boolean parallel;       // the server answers ranges, and other segments may be coming

    /** @param counted bytes of an earlier attempt that the meter was told of */
    Transfer(Shared shared, RepoFile file, long counted, Path blob, URI from, HubHttp.Wanted wanted) {
        this.shared = shared;
        this.file = file;
        this.counted = counted;
        this.blob = blob;
        this.from = from;
        this.wanted = wanted;
    }

    /** Returns when the file is whole. */
    void run() throws HubException {
        try {
            if (file.bytes() == 0) {
                empty();
                return;
            }
            boolean taken = isTaken();
            shared.meter().found((taken ? file.bytes() : 0) - counted);
            boolean resumed = !taken;
            while (resumed) {
                try (PartFile part = PartFile.open(blob, file.bytes(), shared.options().segment())) {
                    resumed = part.received() > 0;
                    shared.meter().found(part.received());
                    fetch(part);
                    if (isVerified(part, resumed)) {
                        return;
                    }
                }
            }
        } catch (ClosedByInterruptException e) {
            throw new HubException(new HubFault.Interrupted(wanted.repository()), e);
        } catch (IOException e) {
            throw RepoCache.failure(blob, e);
        }
    }

    /** Takes the file from the cache of the hub's Python tools, if it is there and right. */
    private boolean isTaken() throws IOException {
        if (shared.options().hubCache().isEmpty()) {
            return false;
        }
        Path theirs = shared.options().hubCache().get().resolve("models--" + wanted.repository().replace("/", "--"))
                .resolve("blobs").resolve(file.digest().hex());
        if (!Files.isRegularFile(theirs) || Files.size(theirs) != file.bytes()
                || !Digest.of(file.digest().kind(), theirs, n -> {}).equals(file.digest())) {
            return false;
        }
        Files.createDirectories(blob.getParent());
        try {
            Files.createLink(blob, theirs.toRealPath());
        } catch (IOException | UnsupportedOperationException e) {
            Path copy = blob.resolveSibling(blob.getFileName() + ".copy");
            Files.copy(theirs, copy, StandardCopyOption.REPLACE_EXISTING);
            Files.move(copy, blob, StandardCopyOption.ATOMIC_MOVE);
        }
        PartFile.delete(blob);
        return true;
    }

    private void empty() throws IOException, HubException {
        Files.createDirectories(blob.getParent());
        Path part = blob.resolveSibling(blob.getFileName() + PartFile.PART);
        Files.write(part, new byte[0]);
        Digest found = Digest.of(file.digest().kind(), part, n -> {});
        if (!found.equals(file.digest())) {
            Files.delete(part);
            throw wrong(found);
        }
        Files.move(part, blob, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Gives the file its name; false if its bytes are wrong and were there before, so that all of it is fetched once more. */
    private boolean isVerified(PartFile part, boolean resumed) throws IOException, HubException {
        part.force();
        Digest found = Digest.of(file.digest().kind(), part.file(), shared.meter()::verified);
        if (!found.equals(file.digest())) {
            part.delete();
            if (!resumed) {
                throw wrong(found);
            }
            shared.meter().found(-file.bytes());
            shared.meter().verified(-file.bytes());
            return false;
        }
        part.close();
        Files.move(part.file(), blob, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        part.deleteState();
        return true;
    }

    private HubException wrong(Digest found) {
        return new HubException(new HubFault.WrongDigest(wanted.repository(), file.path(), file.digest().algorithm(),
                file.digest().hex(), found.hex()));
    }

    /** Fetches every segment that is not whole; begins anew when the content changes. */
    private void fetch(PartFile part) throws IOException, HubException {
        while (!part.unfinished().isEmpty()) {
            failure.set(null);
            parallel = false;
            Queue<Integer> segments = new ConcurrentLinkedQueue<>(part.unfinished());
            int first = segments.remove();
            try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
                Runnable others = () -> {
                    parallel = true;
                    int more = Math.min(segments.size(), shared.options().connections() - 1);
                    for (int i = 0; i < more; i++) {
                        workers.execute(() -> drain(part, segments));
                    }
                };
                attempt(() -> segment(part, first, others));
                drain(part, segments);
            }
            if (shared.stopped().getAsBoolean()) {
                throw new HubException(new HubFault.Interrupted(wanted.repository()));
            }
            Exception failed = failure.get();
            switch (failed) {
                case null -> { }
                case ChangedException c -> restart(part, c);
                case HubException h -> throw h;
                case IOException i -> throw i;
                default -> throw new IllegalStateException("a transfer of " + file.path() + " failed", failed);
            }
        }
    }

    private void restart(PartFile part, ChangedException why) throws IOException, HubException {
        if (++changes > RESTARTS) {
            throw new HubException(broken(part, why.getMessage() + ", " + changes + " times"), why);
        }
        shared.meter().found(-part.received());
        part.reset("");
    }

    /** Something that fetches; its failure is kept, the first of a file's being the one reported. */
    private interface Fetching {
        void run() throws IOException, HubException, ChangedException;
    }

    private void attempt(Fetching fetching) {
        try {
            fetching.run();
        } catch (IOException | HubException | ChangedException | RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private boolean isOver() {
        return failure.get() != null || shared.stopped().getAsBoolean();
    }

    private void drain(PartFile part, Queue<Integer> segments) {
        for (Integer next = segments.poll(); next != null && !isOver(); next = segments.poll()) {
            int segment = next;
            attempt(() -> segment(part, segment, () -> {}));
        }
    }

    /** Fetches one segment; {@code ranged} runs once the server has shown that it answers ranges. */
    private void segment(PartFile part, int segment, Runnable ranged) throws IOException, HubException, ChangedException {
        Attempts attempts = new Attempts(wanted.repository(), shared.options(), false);
        boolean[] told = new boolean[1];
        while (part.done(segment) < part.length(segment)) {
            if (isOver()) {
                return;
            }
            long before = part.done(segment);
            try {
                acquire();
                try {
                    once(part, segment, () -> {
                        if (!told[0]) {
                            told[0] = true;
                            ranged.run();
                        }
                    });
                } finally {
                    shared.connections().release();
                }
            } catch (TransientException e) {
                if (isOver()) {
                    return;
                }
                if (part.done(segment) - before >= PROGRESS) {
                    attempts.progressed();
                }
                attempts.failed(e.isUnconnected() || !(e.fault() instanceof HubFault.Unreachable) ? e
                        : new TransientException(broken(part, String.valueOf(e.getCause())), Duration.ZERO, e));
            }
        }
    }

    private void acquire() throws HubException {
        try {
            shared.connections().acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HubException(new HubFault.Interrupted(wanted.repository()), e);
        }
    }

    private void once(PartFile part, int segment, Runnable ranged) throws IOException, HubException, ChangedException, TransientException {
        long start = part.start(segment) + part.done(segment);
        long end = part.start(segment) + part.length(segment);
        Map<String, String> headers = new HashMap<>();
        headers.put("Range", "bytes=" + start + "-" + (end - 1));
        headers.put("Accept-Encoding", "identity");
        if (isStrong(part.tag()) && changes < CHANGES) {
            headers.put("If-Range", part.tag());
        }
        try (HubHttp.Answer answer = shared.http().get(from, wanted, headers, this::isOver)) {
            String tag = answer.header("etag");
            switch (answer.status()) {
                case 206 -> {
                    checkRange(part, answer, start, tag);
                    ranged.run();
                    read(part, segment, answer.body());
                }
                case 416 -> throw new ChangedException("the server has no bytes from " + start);
                default -> whole(part, answer, tag);
            }
        }
    }

    /** The range must be the one asked for, of a file of the length listed, with the tag that the rest came with. */
    private void checkRange(PartFile part, HubHttp.Answer answer, long start, String tag) throws IOException, ChangedException {
        Matcher m = RANGE.matcher(answer.header("content-range"));
        if (!m.matches() || Long.parseLong(m.group(1)) != start) {
            throw new ChangedException("the server sends another range than was asked for");
        }
        if (Long.parseLong(m.group(3)) != file.bytes()) {
            throw new ChangedException("the server's file has " + m.group(3) + " bytes, the hub lists " + file.bytes());
        }
        if (part.tag().isEmpty() && isStrong(tag)) {
            part.tag(tag);
        } else if (isStrong(tag) && !tag.equals(part.tag()) && changes < CHANGES) {
            throw new ChangedException("the file's entity tag changed while it came");
        }
    }

    private static boolean isStrong(String tag) {
        return tag.startsWith("\"") && tag.endsWith("\"") && tag.length() > 2;
    }

    /** The whole file came in place of a range: it is taken from the start, if nothing else is being fetched. */
    private void whole(PartFile part, HubHttp.Answer answer, String tag)
            throws IOException, HubException, ChangedException, TransientException {
        String length = answer.header("content-length");
        if (!length.isEmpty() && !length.equals(Long.toString(file.bytes()))) {
            throw new ChangedException("the server's file has " + HubFault.printable(length, 30) + " bytes, the hub lists " + file.bytes());
        }
        if (parallel) {
            throw new ChangedException("the server sends the whole file in place of a range");
        }
        if (++streams > shared.options().attempts()) {
            throw new HubException(broken(part, "the server answers no ranges, and broke off " + shared.options().attempts() + " times"));
        }
        shared.meter().found(-part.received());
        part.reset(isStrong(tag) ? tag : "");
        for (int i = 0; i <= part.segmentAt(file.bytes() - 1); i++) {
            read(part, i, answer.body());
        }
    }

    /** Reads the rest of a segment; what came before a failure is kept. */
    private void read(PartFile part, int segment, InputStream body) throws IOException, TransientException {
        byte[] buffer = new byte[BUFFER];
        while (part.done(segment) < part.length(segment)) {
            int want = (int) Math.min(BUFFER, part.length(segment) - part.done(segment));
            int n = 0;
            IOException cut = null;
            while (n < want && cut == null) {
                try {
                    int more = body.read(buffer, n, want - n);
                    cut = more < 0 ? new EOFException("the answer ended early") : null;
                    n += Math.max(0, more);
                } catch (IOException e) {
                    cut = e;
                }
            }
            part.append(segment, ByteBuffer.wrap(buffer, 0, n));
            shared.meter().came(n);
            if (cut != null) {
                throw new TransientException(broken(part, String.valueOf(cut.getMessage())), Duration.ZERO, cut);
            }
        }
    }

    private HubFault broken(PartFile part, String reason) {
        return new HubFault.Broken(wanted.repository(), file.path(), part.received(), file.bytes(), reason);
    }
}
