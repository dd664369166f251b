package poot.backend.cpu.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/** Anonymous pages of Linux and macOS: {@code mmap}, {@code mprotect}, {@code munmap}. */
final class Pages {
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int EXECUTE = 4;
    private static final int PRIVATE = 2;
    private static final int ANONYMOUS_LINUX = 0x20;
    private static final int ANONYMOUS_MACOS = 0x1000;

    private static final MethodHandle MAP = function("mmap", FunctionDescriptor.of(
            ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
    private static final MethodHandle PROTECT = function(
            "mprotect", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
    private static final MethodHandle UNMAP = function(
            "munmap", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));

    private Pages() {}

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    /** Zeroed pages for {@code bytes}, to be written. */
    @SuppressWarnings("restricted")
    static MemorySegment map(long bytes) throws CodeRefused {
        boolean macos = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac");
        MemorySegment pages;
        try {
            pages = (MemorySegment) MAP.invokeExact(
                    MemorySegment.NULL, bytes, READ | WRITE, PRIVATE | (macos ? ANONYMOUS_MACOS : ANONYMOUS_LINUX), -1, 0L);
        } catch (Throwable t) {
            throw new CodeRefused("mmap cannot be called: " + t.getMessage(), t);
        }
        if (pages.address() == -1 || pages.address() == 0) {
            throw new CodeRefused("mmap gives no pages");
        }
        return pages.reinterpret(bytes);
    }

    /** No longer to be written, to be run. */
    static void seal(MemorySegment pages) throws CodeRefused {
        int result;
        try {
            result = (int) PROTECT.invokeExact(pages, pages.byteSize(), READ | EXECUTE);
        } catch (Throwable t) {
            throw new CodeRefused("mprotect cannot be called: " + t.getMessage(), t);
        }
        if (result != 0) {
            unmap(pages);
            throw new CodeRefused("the system does not make memory executable");
        }
    }

    /** Gives pages back. */
    static void unmap(MemorySegment pages) {
        try {
            int result = (int) UNMAP.invokeExact(pages, pages.byteSize());
            if (result != 0) {
                throw new IllegalStateException("munmap fails with " + result);
            }
        } catch (RuntimeException | Error t) {
            throw t;
        } catch (Throwable t) {
            throw new IllegalStateException("munmap cannot be called", t);
        }
    }
}
