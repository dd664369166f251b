package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.BYTE;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.SHORT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.model.KvForm;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;

/**
 * Cached keys or values, [slots, groups, width] of {@code element}: read where they lie, or as F32 in scratch. With
 * {@code scales}, F16 [slots, groups, width/32], the element is I32, of four signed 8-bit codes each: a feature is its code
 * times the scale of its 32. Rows pass through the worker's arrays, where plain loops become vector instructions and are not slow before.
 */
record CacheRows(Region pool, ElementType element, Optional<Region> scales, int groups, int width, Workspace workspace) {
    private static final int LINE = 64;

    /** Whether rows of neighbouring slots are F32 where they lie. */
    boolean direct() {
        return element == ElementType.F32;
    }

    /** Bytes of so many features of a row. */
    private long bytes(int features) {
        return scales.isPresent() ? features : (long) element.bytes() * features;
    }

    /** Where a slot's row begins in the pool's segment. */
    long at(int slot, int group) {
        return pool.offset() + ((long) slot * groups + group) * bytes(width);
    }

    /** Bytes from a slot's row to the next slot's. */
    long stride() {
        return groups * bytes(width);
    }

    /** Where the scales of a slot's row begin; 0 where there are none. */
    long scalesAt(int slot, int group) {
        return scales.isEmpty() ? 0 : scales.get().offset() + ((long) slot * groups + group) * scaleBytes();
    }

    /** Bytes from the scales of a slot's row to those of the next slot's. */
    long scalesStride() {
        return groups * scaleBytes();
    }

    private long scaleBytes() {
        return (long) Short.BYTES * (width / KvForm.GROUP);
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
        long at = at(slot, group) + bytes(from);
        if (scales.isPresent()) {
            MemorySegment factors = scales.get().segment();
            for (int i = 0; i < n; i++) {
                short scale = factors.get(SHORT, scalesAt(slot, group) + Short.BYTES * ((from + i) / KvForm.GROUP));
                wide[i] = s.get(BYTE, at + i) * Float.float16ToFloat(scale);
            }
            return;
        }
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
