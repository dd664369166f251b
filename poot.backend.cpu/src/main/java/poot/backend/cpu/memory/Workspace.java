package poot.backend.cpu.memory;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import poot.api.executor.BufferPlan;
import poot.api.executor.ExecutorException;

/**
 * Scratch that the kernels of one entry share, one after another: native bytes and heap registers for every worker,
 * and native bytes for all workers together. Kernels reserve while they are prepared; nothing grows after
 * {@link #allocate}.
 */
public final class Workspace {
    /** Elements of one register. */
    public static final int TILE = 1024;

    /** Elements that are widened at once: of four rows. */
    private static final int WIDE = 4 * TILE;

    /** Floats a worker leaves vectors in to sum their lanes: sixteen of the widest. */
    public static final int LANES = 256;

    private long workerBytes;
    private long tileBytes;
    private long sharedBytes;
    private long stagedAt;
    private long stagedBytes;
    private final Map<Object, Object> inKernel = new HashMap<>();
    private int registers;
    private int rowFloats;
    private int packedBytes;
    private MemorySegment worker;
    private MemorySegment tiles;
    private MemorySegment shared;
    private MemorySegment staged;
    private float[][][] floats;
    private int[][][] words;
    private float[][] rows;
    private float[][] lanes;
    private short[][] halves;
    private float[][] wide;
    private byte[][] packed;

    /** Each worker needs {@code bytes} of its own. */
    public void reserveWorker(long bytes) {
        workerBytes = Math.max(workerBytes, aligned(bytes));
    }

    /** Each worker needs {@code bytes} for what passes from one kernel to the next inside a step. */
    public void reserveTiles(long bytes) {
        tileBytes = Math.max(tileBytes, aligned(bytes));
    }

    /** All workers together need {@code bytes}. */
    public void reserveShared(long bytes) {
        sharedBytes = Math.max(sharedBytes, aligned(bytes));
    }

    /** What follows is reserved for the next kernel: it may overlay what other kernels staged. */
    public void nextKernel() {
        stagedAt = 0;
        inKernel.clear();
    }

    /** {@code bytes} that the current kernel has to itself while it runs; the memory is there after {@link #allocate}. */
    public Supplier<MemorySegment> staging(long bytes) {
        long at = stagedAt;
        stagedAt += aligned(bytes);
        stagedBytes = Math.max(stagedBytes, stagedAt);
        return () -> staged.asSlice(at, bytes);
    }

    /** What the current kernel already has under {@code key}. */
    public <T> Optional<T> shared(Object key, Class<T> type) {
        return Optional.ofNullable(inKernel.get(key)).map(type::cast);
    }

    /** Keeps {@code value} for the rest of the current kernel. */
    public void share(Object key, Object value) {
        inKernel.put(key, value);
    }

    /** Each worker needs {@code count} registers of floats and as many of words. */
    public void reserveRegisters(int count) {
        registers = Math.max(registers, count);
    }

    /** Each worker needs an array of {@code count} floats. */
    public void reserveRow(int count) {
        rowFloats = Math.max(rowFloats, count);
    }

    /** Each worker needs an array of {@code count} bytes. */
    public void reservePacked(int count) {
        packedBytes = Math.max(packedBytes, count);
    }

    /** Allocates what was reserved. Much of it is never touched, and takes neither memory nor a start's time until it is. */
    public void allocate(Memory memory, int workers) throws ExecutorException {
        worker = memory.allocateLarge("scratch of " + workers + " workers", Math.multiplyExact(workerBytes, (long) workers));
        tiles = memory.allocateLarge("tiles of " + workers + " workers", Math.multiplyExact(tileBytes, (long) workers));
        shared = memory.allocateLarge("shared scratch", sharedBytes);
        staged = memory.allocateLarge("staged activations", stagedBytes);
        floats = new float[workers][registers][TILE];
        words = new int[workers][registers][TILE];
        rows = new float[workers][rowFloats];
        lanes = new float[workers][LANES];
        halves = new short[workers][TILE];
        wide = new float[workers][WIDE];
        packed = new byte[workers][packedBytes];
    }

    /** Heap and native bytes a worker holds. */
    public long heapBytes(int workers) {
        return (long) workers * (8L * registers * TILE + 4L * (rowFloats + LANES) + 2L * TILE + 4L * WIDE + packedBytes);
    }

    /** The segment of all workers' bytes; a worker's begin at {@link #workerAt}. */
    public MemorySegment worker() {
        return worker;
    }

    /** Where the bytes of a worker begin. */
    public long workerAt(int index) {
        return index * workerBytes;
    }

    /** The segment of all workers' tiles, which no kernel inside a step touches but the step; see {@link #tilesAt}. */
    public MemorySegment tiles() {
        return tiles;
    }

    /** Where the tiles of a worker begin. */
    public long tilesAt(int index) {
        return index * tileBytes;
    }

    /** The bytes all workers share. */
    public MemorySegment shared() {
        return shared;
    }

    /** The float registers of a worker. */
    public float[][] floats(int index) {
        return floats[index];
    }

    /** The word registers of a worker. */
    public int[][] words(int index) {
        return words[index];
    }

    /** The float array of a worker. */
    public float[] row(int index) {
        return rows[index];
    }

    /** The {@link #LANES} floats of a worker; any kernel may use them between two calls. */
    public float[] lanes(int index) {
        return lanes[index];
    }

    /** {@link #TILE} 16-bit floats of a worker on their way to {@link #wide}. */
    public short[] halves(int index) {
        return halves[index];
    }

    /** {@link #WIDE} floats of a worker, likewise between two calls only. */
    public float[] wide(int index) {
        return wide[index];
    }

    /** The byte array of a worker. */
    public byte[] packed(int index) {
        return packed[index];
    }

    private static long aligned(long bytes) {
        return Math.ceilDiv(bytes, BufferPlan.ALIGNMENT) * BufferPlan.ALIGNMENT;
    }
}
