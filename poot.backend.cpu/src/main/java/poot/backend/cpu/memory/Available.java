package poot.backend.cpu.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import poot.api.executor.MemoryLeft;

/**
 * The memory this process may still take without others being pushed out: what Linux calls available, and what a container
 * leaves of its limit (its file pages counted as free, since they are given up on demand).
 */
public final class Available {
    private static final Path SYSTEM = Path.of("/");

    private Available() {}

    /** Bytes; 0 where the system does not tell. */
    public static long bytes() {
        return bytes(SYSTEM);
    }

    /** The host's memory, as it is now; empty where the system does not tell. */
    public static Optional<MemoryLeft> left() {
        return left(SYSTEM);
    }

    static Optional<MemoryLeft> left(Path root) {
        try {
            long total = Math.min(field(root.resolve("proc/meminfo"), "MemTotal:") * 1024, limit(root.resolve("sys/fs/cgroup")));
            return Optional.of(new MemoryLeft("the host", total, free(root)));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty(); // as above
        }
    }

    /** What a container may have. */
    private static long limit(Path group) throws IOException {
        Path now = group.resolve("memory.max");
        Path older = group.resolve("memory/memory.limit_in_bytes");
        Path file = Files.isReadable(now) ? now : older;
        String most = Files.isReadable(file) ? Files.readString(file).strip() : "max";
        return most.equals("max") ? Long.MAX_VALUE : Long.parseLong(most);
    }

    static long bytes(Path root) {
        try {
            return free(root);
        } catch (IOException | NumberFormatException e) {
            return 0; // not Linux, or a sandbox that hides it: an answer, not a failure
        }
    }

    private static long free(Path root) throws IOException {
        long machine = field(root.resolve("proc/meminfo"), "MemAvailable:") * 1024;
        return Math.max(0, Math.min(machine, container(root.resolve("sys/fs/cgroup"))));
    }

    private static long container(Path group) throws IOException {
        Path limit = group.resolve("memory.max");
        if (Files.isReadable(limit)) {
            return left(limit, group.resolve("memory.current"), group.resolve("memory.stat"));
        }
        Path first = group.resolve("memory");
        Path older = first.resolve("memory.limit_in_bytes");
        return Files.isReadable(older)
                ? left(older, first.resolve("memory.usage_in_bytes"), first.resolve("memory.stat")) : Long.MAX_VALUE;
    }

    private static long left(Path limit, Path used, Path statistics) throws IOException {
        String most = Files.readString(limit).strip();
        if (most.equals("max")) {
            return Long.MAX_VALUE;
        }
        return Long.parseLong(most) - Long.parseLong(Files.readString(used).strip()) + field(statistics, "inactive_file")
                + field(statistics, "active_file");
    }

    private static long field(Path file, String name) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (String line : lines) {
            String[] words = line.strip().split("\\s+");
            if (words.length > 1 && words[0].equals(name)) {
                return Long.parseLong(words[1]);
            }
        }
        throw new IOException("no " + name + " in " + file);
    }
}
