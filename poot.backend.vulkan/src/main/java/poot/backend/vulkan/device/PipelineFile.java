package poot.backend.vulkan.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.lwjgl.system.MemoryUtil;

/**
 * Pipelines kept between runs: a driver's own cache, in one file for each device and driver, behind a header of ours.
 * A driver trusts what it is given, so a file that is not whole, or not ours, is not given to it.
 *
 * <p>The header, little-endian: 8 bytes {@code pootvkpc}, a U32 version, a U32 of zero, a U64 count of the bytes after
 * it, and their SHA-256.
 */
final class PipelineFile {
    private static final byte[] MAGIC = {'p', 'o', 'o', 't', 'v', 'k', 'p', 'c'};
    private static final int VERSION = 1;
    private static final int DIGEST_BYTES = 32;
    private static final int HEADER_BYTES = MAGIC.length + 4 + 4 + 8 + DIGEST_BYTES;
    /** A cache beyond this is neither read nor written. */
    static final long LARGEST = 256L << 20;
    /** Files of devices and drivers that are kept, those used last. */
    static final int MOST = 8;
    private static final String SUFFIX = ".pipelines";
    private static final String PART = ".part";
    /** Nobody writes as long as this: what is this old was left by a process that was killed. */
    private static final Duration STALE = Duration.ofHours(1);

    private final Path path;

    /** The file of a device in a folder that need not exist. */
    PipelineFile(Path folder, PhysicalDevice device) {
        this(folder.resolve(device.identity() + SUFFIX));
    }

    PipelineFile(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** The driver's bytes, direct; empty where there are none that are whole. */
    Optional<ByteBuffer> read() {
        try {
            if (!Files.isRegularFile(path) || Files.size(path) > LARGEST) {
                return Optional.empty();
            }
            byte[] all = Files.readAllBytes(path);
            if (all.length < HEADER_BYTES) {
                return Optional.empty();
            }
            byte[] body = Arrays.copyOfRange(all, HEADER_BYTES, all.length);
            if (!Arrays.equals(header(body), Arrays.copyOf(all, HEADER_BYTES))) {
                return Optional.empty();
            }
            touch();
            return Optional.of(MemoryUtil.memAlloc(body.length).put(body).flip());
        } catch (IOException _) {
            return Optional.empty(); // A cache that cannot be read is an empty one.
        }
    }

    /** Replaces the file by the driver's bytes in one step; whether that was possible. */
    boolean write(byte[] body) {
        if (body.length > LARGEST - HEADER_BYTES) {
            return false;
        }
        try {
            Files.createDirectories(path.getParent());
            Path part = Files.createTempFile(path.getParent(), "pipelines", PART);
            try {
                try (var out = Files.newOutputStream(part)) {
                    out.write(header(body));
                    out.write(body);
                }
                Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
            prune();
            return true;
        } catch (IOException _) {
            return false; // The next start compiles again.
        }
    }

    /** Notes that it was used. */
    private void touch() {
        try {
            Files.setLastModifiedTime(path, FileTime.from(Instant.now()));
        } catch (IOException _) {
            return; // A folder that is only read is never bounded either.
        }
    }

    /** Takes the file away: the next start begins without one. */
    void forget() {
        delete(path);
    }

    /** Bounds the folder: files of drivers that are gone, and parts that nobody finished. */
    private void prune() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.list(path.getParent())) {
            all = files.filter(Files::isRegularFile).toList();
        }
        all.stream().filter(p -> p.toString().endsWith(PART) && used(p).plus(STALE).isBefore(Instant.now())).forEach(PipelineFile::delete);
        all.stream().filter(p -> p.toString().endsWith(SUFFIX)).sorted(Comparator.comparing(PipelineFile::used).reversed()).skip(MOST)
                .forEach(PipelineFile::delete);
    }

    private static Instant used(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException _) {
            return Instant.now(); // Another process took it away, or is writing it.
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException _) {
            file.toFile().deleteOnExit(); // Held by another process: it is tried again, here and by every later write.
        }
    }

    private static byte[] header(byte[] body) {
        return ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN).put(MAGIC).putInt(VERSION).putInt(0)
                .putLong(body.length).put(digest(body)).array();
    }

    private static byte[] digest(byte[] body) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
