package poot.backend.cuda.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A stream: what is put into it runs in order, while the caller goes on. */
public final class DriverStream implements AutoCloseable {
    private final MemorySegment handle;

    private DriverStream(MemorySegment handle) {
        this.handle = handle;
    }

    /** A mark in a stream. */
    public static final class Event implements AutoCloseable {
        private final MemorySegment handle;

        private Event(MemorySegment handle) {
            this.handle = handle;
        }

        /** A mark that is not set: awaiting it returns at once. */
        public static Event create() throws CudaException {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
                CudaException.check("cuEventCreate", Cuda.cuEventCreate(out, Cuda.CU_EVENT_DISABLE_TIMING()));
                return new Event(out.get(ValueLayout.ADDRESS, 0));
            }
        }

        /** Waits until what stood before the mark is done. */
        public void await() throws CudaException {
            CudaException.check("cuEventSynchronize", Cuda.cuEventSynchronize(handle));
        }

        @Override
        public void close() {
            Release.of("cuEventDestroy", Cuda.cuEventDestroy_v2(handle));
        }
    }

    /** A stream of the current context that waits for no other. */
    public static DriverStream create() throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            CudaException.check("cuStreamCreate", Cuda.cuStreamCreate(out, Cuda.CU_STREAM_NON_BLOCKING()));
            return new DriverStream(out.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** Copies {@code bytes} of pinned host memory to a device address. */
    public void upload(long to, MemorySegment from, long bytes) throws CudaException {
        CudaException.check("cuMemcpyHtoDAsync", Cuda.cuMemcpyHtoDAsync_v2(to, from, bytes, handle));
    }

    /** Copies {@code bytes} at a device address to pinned host memory. */
    public void download(MemorySegment to, long from, long bytes) throws CudaException {
        CudaException.check("cuMemcpyDtoHAsync", Cuda.cuMemcpyDtoHAsync_v2(to, from, bytes, handle));
    }

    /** Sets {@code bytes} at a device address to zero. */
    public void clear(long at, long bytes) throws CudaException {
        CudaException.check("cuMemsetD8Async", Cuda.cuMemsetD8Async(at, (byte) 0, bytes, handle));
    }

    /** Sets a mark behind what is in the stream now. */
    public void mark(Event event) throws CudaException {
        CudaException.check("cuEventRecord", Cuda.cuEventRecord(event.handle, handle));
    }

    /** Waits until all that is in the stream is done; an error of any of it is thrown here. */
    public void await() throws CudaException {
        CudaException.check("cuStreamSynchronize", Cuda.cuStreamSynchronize(handle));
    }

    MemorySegment handle() {
        return handle;
    }

    @Override
    public void close() {
        Release.of("cuStreamDestroy", Cuda.cuStreamDestroy_v2(handle));
    }
}
