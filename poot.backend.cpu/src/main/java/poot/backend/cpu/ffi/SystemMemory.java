package poot.backend.cpu.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Zeroed memory straight from the system ({@code mmap} of Linux and macOS), a page at a time as it is first touched. Java does
 * not count it: -XX:MaxDirectMemorySize, which is the heap's bound unless it is set, does not hold here.
 */
public final class SystemMemory {
    private static final boolean AVAILABLE = probe();
    /** Pages begin at multiples of this at least. */
    private static final long LEAST_PAGE = 4096;

    private SystemMemory() {}

    /** Whether there is such memory: not where a system has other calls for it, or native ones are forbidden. */
    public static boolean available() {
        return AVAILABLE;
    }

    private static boolean probe() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (!system.contains("linux") && !system.contains("mac")) {
            return false;
        }
        try {
            Pages.unmap(Pages.map(1));
            return true;
        } catch (CodeRefused | IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError e) {
            return false; // an answer, not a failure: Java has memory too
        }
    }

    /**
     * Memory that is given back when the arena closes. Empty where there is none, or not so much.
     *
     * @param alignment of its first byte: a power of two
     */
    public static Optional<MemorySegment> allocate(long bytes, long alignment, Arena arena) {
        if (!AVAILABLE || bytes <= 0 || bytes > Long.MAX_VALUE - alignment) {
            return Optional.empty();
        }
        try {
            MemorySegment all = owned(Pages.map(alignment <= LEAST_PAGE ? bytes : bytes + alignment), arena);
            return Optional.of(all.asSlice(-all.address() & alignment - 1, bytes));
        } catch (CodeRefused e) {
            return Optional.empty(); // the caller tells what it was for
        }
    }

    /** Pages that the arena gives back; at once if it is closed. */
    @SuppressWarnings("restricted")
    private static MemorySegment owned(MemorySegment pages, Arena arena) {
        AtomicBoolean held = new AtomicBoolean(true);
        Runnable release = () -> {
            if (held.getAndSet(false)) {
                Pages.unmap(pages);
            }
        };
        boolean owned = false;
        try {
            MemorySegment all = MemorySegment.ofAddress(pages.address()).reinterpret(pages.byteSize(), arena, s -> release.run());
            owned = true;
            return all;
        } finally {
            if (!owned) {
                release.run();
            }
        }
    }
}
