package poot.backend.cpu.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Machine code that can be called. Its pages are written first and then made executable, never both at once. A call does
 * not leave the Java state: it must be short, and must not call back.
 */
public final class NativeCode implements AutoCloseable {
    @SuppressWarnings("restricted")
    private static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
            Linker.Option.critical(false));

    private final MemorySegment pages;

    private NativeCode(MemorySegment pages) {
        this.pages = pages;
    }

    /** Makes {@code code} executable. @throws CodeRefused if the system does not allow it */
    public static NativeCode of(byte[] code) throws CodeRefused {
        MemorySegment pages = Pages.map(code.length);
        MemorySegment.copy(code, 0, pages, ValueLayout.JAVA_BYTE, 0, code.length);
        Pages.seal(pages);
        return new NativeCode(pages);
    }

    /**
     * Runs the code with eight arguments.
     *
     * @param kept memory that must not be released while the code runs; releasing it meanwhile fails
     * @return what a function that returns 64 bits returns
     */
    public long call(MemorySegment kept, long a, long b, long c, long d, long e, long f, long g, long h) {
        try {
            return (long) CALL.invokeExact(pages, a, b, c, d, e, f, g, h, kept);
        } catch (RuntimeException | Error t) {
            throw t;
        } catch (Throwable t) {
            throw new IllegalStateException("a call into machine code failed", t);
        }
    }

    /** The address of byte {@code at} of native memory, as an argument. */
    public static long address(MemorySegment memory, long at) {
        return memory.address() + at;
    }

    /** Gives the pages back; no call may be running or come later. */
    @Override
    public void close() {
        Pages.unmap(pages);
    }
}
