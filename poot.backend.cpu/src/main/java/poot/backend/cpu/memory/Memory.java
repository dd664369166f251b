package poot.backend.cpu.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import poot.api.executor.BufferPlan;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.MemoryLeft;
import poot.backend.cpu.ffi.LargePages;
import poot.backend.cpu.ffi.SystemMemory;

/**
 * The owner of one arena: everything it hands out is zeroed, aligned to 64 bytes, and released when it closes. What is large comes
 * from the system, whatever bound Java has on its own memory outside the heap; what is small, or all where the system has no such
 * call, from Java.
 */
public final class Memory implements AutoCloseable {
    /** Whole pages are taken from the system: below this their remainder is too much of the whole. */
    static final long LEAST_SYSTEM = 1 << 20;
    /** A part of a large page would be lost likewise. */
    private static final long LEAST_LARGE = 4 * LargePages.PAGE;
    /** Bytes that are left to everyone else. */
    static final long RESERVE = 256 << 20;

    private final String owner;
    private final boolean system;
    private final Arena arena = Arena.ofShared();
    private final AtomicLong bytes = new AtomicLong();

    /** An owner that holds nothing yet; {@code owner} names it in messages. */
    public Memory(String owner) {
        this(owner, SystemMemory.available());
    }

    /** An owner that takes from the {@code system}, or from Java alone. */
    Memory(String owner, boolean system) {
        this.owner = owner;
        this.system = system;
    }

    /**
     * Zeroed bytes.
     *
     * @param what what they are for, for the message
     * @throws ExecutorException if the machine, or where they come from Java -XX:MaxDirectMemorySize, does not allow them
     */
    public MemorySegment allocate(String what, long size) throws ExecutorException {
        return system && size >= LEAST_SYSTEM ? fromSystem(what, size, false) : fromJava(what, size);
    }

    /**
     * Zeroed bytes that are read from end to end, in large pages where the system has them and memory to spare.
     *
     * @param what what they are for, for the message
     * @throws ExecutorException as {@link #allocate}
     */
    public MemorySegment allocateLarge(String what, long size) throws ExecutorException {
        return system && size >= LEAST_SYSTEM ? fromSystem(what, size, size >= LEAST_LARGE) : fromJava(what, size);
    }

    /**
     * Asks for bytes that are allocated in parts: the system counts memory only as it is touched, and would give each of them.
     *
     * @param what what they are for, for the message
     * @throws ExecutorException if the machine has not so many
     */
    public void foresee(String what, long size) throws ExecutorException {
        foresee(what, size, Available.left());
    }

    /** Likewise, of the memory that is {@code left}, also where that is none; where the system does not tell, all is foreseen. */
    void foresee(String what, long size, Optional<MemoryLeft> left) throws ExecutorException {
        if (left.isPresent() && size > left.get().free()) {
            throw refused(what, size, left);
        }
    }

    private MemorySegment fromSystem(String what, long size, boolean large) throws ExecutorException {
        Optional<MemoryLeft> left = Available.left();
        foresee(what, size, left);
        Optional<MemorySegment> segment = Optional.empty();
        if (large && left.isPresent() && size <= left.get().free() - RESERVE) {
            segment = LargePages.allocate(size, arena);
        }
        if (segment.isEmpty()) {
            segment = SystemMemory.allocate(size, BufferPlan.ALIGNMENT, arena);
        }
        bytes.addAndGet(segment.isPresent() ? size : 0);
        return segment.orElseThrow(() -> refused(what, size, left));
    }

    private MemorySegment fromJava(String what, long size) throws ExecutorException {
        try {
            MemorySegment segment = arena.allocate(Math.max(size, 1), BufferPlan.ALIGNMENT);
            bytes.addAndGet(size);
            return segment;
        } catch (OutOfMemoryError e) {
            String bounded = what + " of " + owner + " in Java's memory outside the heap (-XX:MaxDirectMemorySize bounds it)";
            throw new ExecutorException(new OutOfMemory(bounded, size, Available.left()), e);
        }
    }

    private ExecutorException refused(String what, long size, Optional<MemoryLeft> left) {
        return new ExecutorException(new OutOfMemory(what + " of " + owner, size, left));
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
