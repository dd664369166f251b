package poot.backend.cpu.ffi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Memory in pages of 2 MiB, which Linux gives on request ({@code MADV_HUGEPAGE}) where they are enabled. A core that walks
 * such memory misses its address cache 512 times less often, and its prefetcher runs on where a small page would end.
 */
public final class LargePages {
    /** Bytes of a page. */
    public static final long PAGE = 2 << 20;
    private static final Path ENABLED = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final int DONT_NEED = 4;
    private static final int HUGE_PAGE = 14;
    private static final long SMALL_PAGE = 4096;

    /** Only loaded where Linux is certain. */
    private static final class Advice {
        private static final MethodHandle ADVISE = handle();

        @SuppressWarnings("restricted")
        private static MethodHandle handle() {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow("madvise"), FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        }

        static boolean give(long address, long bytes, int advice) {
            try {
                return (int) ADVISE.invokeExact(address, bytes, advice) == 0;
            } catch (RuntimeException | Error t) {
                throw t;
            } catch (Throwable t) {
                throw new IllegalStateException("madvise cannot be called", t);
            }
        }
    }

    private LargePages() {}

    /** Whether the system gives large pages to those who ask. */
    public static boolean available() {
        return available(ENABLED);
    }

    static boolean available(Path enabled) {
        try {
            String choice = Files.readString(enabled);
            return choice.contains("[madvise]") || choice.contains("[always]");
        } catch (IOException e) {
            return false; // not Linux, or a kernel without them: an answer, not a failure
        }
    }

    /**
     * Zeroed memory, a large page at a time as it is first touched; released with the arena. Empty where the system has no
     * such pages or no such memory.
     */
    public static Optional<MemorySegment> allocate(long bytes, Arena arena) {
        if (!available() || bytes > Long.MAX_VALUE - 2 * PAGE) {
            return Optional.empty();
        }
        long rounded = (bytes + PAGE - 1) / PAGE * PAGE;
        Optional<MemorySegment> pages = SystemMemory.allocate(rounded, PAGE, arena);
        // Declined, they are small pages, and as good but for speed.
        pages.ifPresent(all -> Advice.give(all.address(), rounded, HUGE_PAGE));
        return pages.map(all -> all.asSlice(0, bytes));
    }

    /**
     * Gives the pages of a read-only file mapping back to the system, which reads them anew if they are touched again. Any
     * other memory is left alone.
     */
    public static void forget(MemorySegment mapped) {
        if (!mapped.isMapped() || !mapped.isReadOnly() || !available()) {
            return;
        }
        long from = (mapped.address() + SMALL_PAGE - 1) / SMALL_PAGE * SMALL_PAGE;
        long to = (mapped.address() + mapped.byteSize()) / SMALL_PAGE * SMALL_PAGE;
        if (from < to) {
            Advice.give(from, to - from, DONT_NEED); // declined, the pages stay: a matter of memory only
        }
    }
}
