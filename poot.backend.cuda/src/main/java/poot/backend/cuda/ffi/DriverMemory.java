package poot.backend.cuda.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory of the current context's device, and pinned memory of the host. Addresses are the device's. */
public final class DriverMemory {
    private DriverMemory() {}

    /**
     * Pinned host memory that the device reaches.
     *
     * @param memory  the host's view: once the memory is given back, using it throws
     * @param address the device's view
     * @param start   the host's address
     * @param view    how long {@code memory} may be used
     */
    public record Pinned(MemorySegment memory, long address, MemorySegment start, Arena view) {}

    /**
     * Device memory.
     *
     * @param unused bytes nobody has
     * @param all    bytes
     */
    public record Amount(long unused, long all) {}

    /** @return the address of {@code bytes} (at least 1) of device memory, 256-byte aligned, with what was in it before */
    public static long allocate(long bytes) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            CudaException.check("cuMemAlloc", Cuda.cuMemAlloc_v2(out, bytes));
            return out.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Gives device memory back. */
    public static void free(long address) {
        Release.of("cuMemFree", Cuda.cuMemFree_v2(address));
    }

    /** Device memory as it is now. */
    public static Amount amount() throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG, 2);
            CudaException.check("cuMemGetInfo", Cuda.cuMemGetInfo_v2(out, out.asSlice(Long.BYTES)));
            return new Amount(out.get(ValueLayout.JAVA_LONG, 0), out.getAtIndex(ValueLayout.JAVA_LONG, 1));
        }
    }

    /** {@code bytes} (at least 1) of pinned host memory. */
    @SuppressWarnings("restricted")
    public static Pinned allocateHost(long bytes) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            CudaException.check("cuMemHostAlloc",
                    Cuda.cuMemHostAlloc(out, bytes, Cuda.CU_MEMHOSTALLOC_PORTABLE() | Cuda.CU_MEMHOSTALLOC_DEVICEMAP()));
            MemorySegment memory = out.get(ValueLayout.ADDRESS, 0);
            int code = Cuda.cuMemHostGetDevicePointer_v2(out, memory, 0);
            if (code != Cuda.CUDA_SUCCESS()) {
                Release.of("cuMemFreeHost", Cuda.cuMemFreeHost(memory));
            }
            CudaException.check("cuMemHostGetDevicePointer", code);
            Arena view = Arena.ofShared();
            return new Pinned(memory.reinterpret(bytes, view, null), out.get(ValueLayout.JAVA_LONG, 0), memory, view);
        }
    }

    /** Gives pinned host memory back; its segment throws from now on. */
    public static void free(Pinned pinned) {
        pinned.view().close();
        Release.of("cuMemFreeHost", Cuda.cuMemFreeHost(pinned.start()));
    }
}
