package poot.core.hub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file while it comes, in segments that are each filled from their start. Beside the bytes lies a small file that says
 * how far each segment is; it is written after the bytes it counts, so a process killed at any moment leaves a state to go
 * on from. Safe for use by several threads, each on a segment of its own.
 *
 * <p>The state: {@value #HEADER} bytes of text (a mark, the file's length, the segments' length, the entity tag), then 8
 * bytes for each segment, big-endian: its bytes that came.
 */
final class PartFile implements AutoCloseable {
    static final String PART = ".part";
    static final String STATE = ".state";
    private static final String MARK = "poot part 1";
    private static final int HEADER = 1024;
    private static final int LONGEST_TAG = 500;

    private final Path file;
    private final Path stateFile;
    private final FileChannel bytes;
    private final FileChannel state;
    private final long size;
    private final long segment;
    private final long[] done;
    private volatile String tag = "";

    private PartFile(Path blob, long size, long segment) throws IOException {
        this.file = part(blob);
        this.stateFile = state(blob);
        this.size = size;
        this.segment = segment;
        this.done = new long[Math.toIntExact((size + segment - 1) / segment)];
        Files.createDirectories(file.getParent());
        this.bytes = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean opened = false;
        try {
            this.state = FileChannel.open(stateFile, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            opened = true;
        } finally {
            if (!opened) {
                bytes.close();
            }
        }
    }

    /**
     * Opens what came of a file before, or begins it.
     *
     * @param size    the file's length, more than 0
     * @param segment bytes of a segment; longer ones are used for a file that would have more than a million
     */
    static PartFile open(Path blob, long size, long segment) throws IOException {
        long length = Math.max(segment, (size >> 20) + 1);
        PartFile part = new PartFile(blob, size, length);
        boolean read = false;
        try {
            if (!part.readState()) {
                part.reset("");
            }
            read = true;
            return part;
        } finally {
            if (!read) {
                part.close();
            }
        }
    }

    private static Path part(Path blob) {
        return blob.resolveSibling(blob.getFileName() + PART);
    }

    private static Path state(Path blob) {
        return blob.resolveSibling(blob.getFileName() + STATE);
    }

    /** Removes what came of a file, if anything did. */
    static void delete(Path blob) throws IOException {
        Files.deleteIfExists(state(blob));
        Files.deleteIfExists(part(blob));
    }

    /** Bytes that came of the file whose part this is, as its state counts them. */
    static long received(Path part) throws HubException {
        String name = part.getFileName().toString();
        Path state = part.resolveSibling(name.substring(0, name.length() - PART.length()) + STATE);
        try {
            if (!Files.isRegularFile(state) || Files.size(state) > HEADER + (9L << 20)) {
                return 0;
            }
            ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(state));
            long sum = 0;
            for (int at = HEADER; at + Long.BYTES <= all.capacity(); at += Long.BYTES) {
                sum += all.getLong(at);
            }
            return Math.clamp(sum, 0, Files.size(part));
        } catch (IOException e) {
            throw RepoCache.failure(state, e);
        }
    }

    /** Takes over what the state says, if it is of this file and the bytes it counts are there. */
    private boolean readState() throws IOException {
        ByteBuffer all = ByteBuffer.allocate(HEADER + Long.BYTES * done.length);
        if (state.size() != all.capacity()) {
            return false;
        }
        int n;
        do {
            n = state.read(all, all.position());
        } while (n > 0 && all.hasRemaining());
        String[] lines = new String(all.array(), 0, HEADER, StandardCharsets.ISO_8859_1).split("\n", 5);
        if (all.hasRemaining() || lines.length < 5 || !lines[0].equals(MARK) || !lines[1].equals(Long.toString(size))
                || !lines[2].equals(Long.toString(segment))) {
            return false;
        }
        long there = bytes.size();
        for (int i = 0; i < done.length; i++) {
            long came = all.getLong(HEADER + Long.BYTES * i);
            if (came < 0 || came > length(i) || came > 0 && start(i) + came > there) {
                return false;
            }
            done[i] = came;
        }
        tag = lines[3];
        return true;
    }

    /** Begins anew, for content with that entity tag. */
    synchronized void reset(String entityTag) throws IOException {
        bytes.truncate(0);
        Arrays.fill(done, 0);
        ByteBuffer all = ByteBuffer.allocate(HEADER + Long.BYTES * done.length);
        state.write(all, 0);
        tag(entityTag);
    }

    /** Notes the entity tag of the content. */
    synchronized void tag(String entityTag) throws IOException {
        String kept = entityTag.length() <= LONGEST_TAG && entityTag.chars().allMatch(c -> c > ' ' && c <= '~') ? entityTag : "";
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        header.put((MARK + "\n" + size + "\n" + segment + "\n" + kept + "\n").getBytes(StandardCharsets.ISO_8859_1));
        state.write(header.rewind(), 0);
        tag = kept;
    }

    /** The entity tag of the content that came, or an empty string. */
    String tag() {
        return tag;
    }

    /** The segments that are not whole. */
    List<Integer> unfinished() {
        List<Integer> out = new ArrayList<>();
        for (int i = 0; i < done.length; i++) {
            if (done(i) < length(i)) {
                out.add(i);
            }
        }
        return out;
    }

    /** Where a segment begins in the file. */
    long start(int i) {
        return i * segment;
    }

    /** Bytes of a segment. */
    long length(int i) {
        return Math.min(segment, size - start(i));
    }

    /** Bytes of a segment that came. */
    synchronized long done(int i) {
        return done[i];
    }

    /** Bytes that came. */
    synchronized long received() {
        long sum = 0;
        for (long n : done) {
            sum += n;
        }
        return sum;
    }

    /** The segment that a place in the file is in. */
    int segmentAt(long position) {
        return (int) (position / segment);
    }

    /** Puts the next bytes of a segment; those beyond its end are refused. */
    void append(int i, ByteBuffer more) throws IOException {
        long at = done(i);
        int n = more.remaining();
        if (n > length(i) - at) {
            throw new IOException("more bytes than segment " + i + " has");
        }
        for (long to = start(i) + at; more.hasRemaining();) {
            to += bytes.write(more, to);
        }
        ByteBuffer count = ByteBuffer.allocate(Long.BYTES).putLong(0, at + n);
        state.write(count, HEADER + (long) Long.BYTES * i);
        synchronized (this) {
            done[i] = at + n;
        }
    }

    /** Where the bytes are. */
    Path file() {
        return file;
    }

    /** Makes the bytes last a loss of power. */
    void force() throws IOException {
        bytes.force(true);
    }

    /** Removes the file and its state. */
    void delete() throws IOException {
        close();
        Files.deleteIfExists(stateFile);
        Files.deleteIfExists(file);
    }

    /** Removes the state, the file having moved on. */
    void deleteState() throws IOException {
        close();
        Files.deleteIfExists(stateFile);
    }

    @Override
    public void close() throws IOException {
        try {
            bytes.close();
        } finally {
            state.close();
        }
    }
}
