package poot.backend.cpu.work;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The processors this process may run on. Two hardware threads of one core share the vector units that kernels are
 * bound by, so a team has one worker a core where the system tells cores apart: Linux, in
 * {@code /sys/devices/system/cpu/cpuN/topology/thread_siblings_list}.
 */
public final class Processors {
    private static final Path CPUS = Path.of("/sys/devices/system/cpu");
    /** Threads that are granted on any machine, so that a small one can rehearse a large one. */
    private static final int ALWAYS = 64;
    /** Threads granted for each processor. */
    private static final int EACH = 4;

    private Processors() {}

    /** Hardware threads this process may run on, by its affinity and the limits of its container. */
    public static int available() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Physical cores, at most {@link #available}; the latter where cores cannot be told apart. */
    public static int cores() {
        return cores(CPUS, available());
    }

    /** The most threads a team may have: the larger of 64 and four for each processor. */
    public static int mostThreads() {
        return Math.max(ALWAYS, EACH * available());
    }

    /** The cores that the system describes below {@code cpus}; {@code available} bounds them and stands in for none. */
    static int cores(Path cpus, int available) {
        Set<String> siblings = new HashSet<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(cpus, "cpu[0-9]*")) {
            for (Path cpu : each) {
                Path list = cpu.resolve("topology/thread_siblings_list");
                if (Files.isReadable(list)) {
                    siblings.add(Files.readString(list).strip());
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return available; // not Linux, or a sandbox that hides it: an answer, not a failure
        }
        return siblings.isEmpty() ? available : Math.min(siblings.size(), available);
    }
}
