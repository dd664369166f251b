package poot.backend.cpu.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import poot.api.executor.BufferPlan;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.backend.cpu.ffi.LargePages;

/** The owner of one arena: everything it hands out is zeroed, aligned to 64 bytes, and released when it closes. */
public final class Memory implements AutoCloseable {
    /** A part of a large page would be lost: below this it is too much of the whole. */
    private static final long LEAST_LARGE = 4 * LargePages.PAGE;
    /** Bytes that are left to everyone else. */
    static final long RESERVE = 256 << 20;

    private final String owner;
    private final Arena arena = Arena.ofShared();
    private final AtomicLong bytes = new AtomicLong();

    /** An owner that holds nothing yet; {@code owner} names it in messages. */
    public Memory(String owner) {
        this.owner = owner;
    }

    /**
     * Zeroed bytes.
     *
     * @param what what they are for, for the message
     * @throws ExecutorException if the machine or the process limit (-XX:MaxDirectMemorySize) does not allow them
     */
    public MemorySegment allocate(String what, long size) throws ExecutorException {
        try {
            MemorySegment segment = arena.allocate(Math.max(size, 1), BufferPlan.ALIGNMENT);
            bytes.addAndGet(size);
            return segment;
        } catch (OutOfMemoryError e) {
            throw new ExecutorException(new OutOfMemory(what + " of " + owner, size, Available.left()), e);
        }
    }

    /**
     * Zeroed bytes that are read from end to end, in large pages where the system has them and memory to spare.
     *
     * @param what what they are for, for the message
     * @throws ExecutorException as {@link #allocate}
     */
    public MemorySegment allocateLarge(String what, long size) throws ExecutorException {
        if (size >= LEAST_LARGE && size + RESERVE <= Available.bytes()) {
            Optional<MemorySegment> segment = LargePages.allocate(size, arena);
            if (segment.isPresent()) {
                bytes.addAndGet(size);
                return segment.get();
            }
        }
        return allocate(what, size);
    }

    /** Bytes handed out. */
    public long bytes() {
        return bytes.get();
    }

    @Override
    public void close() {
        arena.close();
    }

    @Override
    public String toString() {
        return owner + ": " + bytes + " bytes";
    }
}
