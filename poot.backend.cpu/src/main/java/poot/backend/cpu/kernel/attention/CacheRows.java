package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.BYTE;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.SHORT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import poot.api.graph.ElementType;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;

/**
 * Cached keys or values, [slots, groups, width] of {@code element}: read where they lie, or as F32 in scratch. They
 * pass through the worker's arrays, where plain loops become vector instructions and are not slow before.
 */
record CacheRows(Region pool, ElementType element, int groups, int width, Workspace workspace) {
    private static final int LINE = 64;

    /** Whether rows of neighbouring slots are F32 where they lie. */
    boolean direct() {
        return element == ElementType.F32;
    }

    /** Where a slot's row begins in the pool's segment. */
    long at(int slot, int group) {
        return pool.offset() + element.bytes() * ((long) slot * groups + group) * width;
    }

    /** Bytes from a slot's row to the next slot's. */
    long stride() {
        return (long) element.bytes() * groups * width;
    }

    /**
     * Reads {@code n} slots from one end to the other, so that they come from memory in its own order and are at hand
     * when groups are read one after another; the result says nothing.
     */
    int touch(int slot, int n) {
        MemorySegment s = pool.segment();
        long from = at(slot, 0);
        int lines = (int) (n * stride() / LINE);
        int any = 0;
        for (int i = 0; i < lines; i++) {
            any += s.get(BYTE, from + (long) LINE * i);
        }
        return any;
    }

    /** A slot's row to F32 scratch; zeros for slot -1. */
    void row(int worker, int slot, int group, MemorySegment out, long to) {
        float[] wide = workspace.wide(worker);
        for (int from = 0; from < width; from += Workspace.TILE) {
            int count = Math.min(Workspace.TILE, width - from);
            widen(worker, slot, group, from, count, wide);
            MemorySegment.copy(wide, 0, out, FLOAT, to + 4L * from, count);
        }
    }

    private void widen(int worker, int slot, int group, int from, int n, float[] wide) {
        if (slot < 0) {
            Arrays.fill(wide, 0, n, 0f);
            return;
        }
        MemorySegment s = pool.segment();
        long at = at(slot, group) + (long) element.bytes() * from;
        if (element == ElementType.F32) {
            MemorySegment.copy(s, FLOAT, at, wide, 0, n);
            return;
        }
        short[] narrow = workspace.halves(worker);
        MemorySegment.copy(s, SHORT, at, narrow, 0, n);
        switch (element) {
            case F16 -> halves(narrow, wide, n);
            case BF16 -> brains(narrow, wide, n);
            case F32, I32, U32, BOOL, PACKED -> throw new IllegalStateException("keys of " + element);
        }
    }

    private static void halves(short[] from, float[] to, int n) {
        for (int i = 0; i < n; i++) {
            to[i] = Float.float16ToFloat(from[i]);
        }
    }

    private static void brains(short[] from, float[] to, int n) {
        for (int i = 0; i < n; i++) {
            to[i] = Float.intBitsToFloat(from[i] << 16);
        }
    }
}
