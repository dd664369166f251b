package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.x86.Simd;

/**
 * A range of columns in groups of as many as a vector has lanes. What is left is the last of a group that ends with the range:
 * its other columns are computed, and not stored.
 */
final class ColumnGroups {
    /** Where a kernel's sizes lie in a worker's scratch. */
    private static final int SIZES = 64;
    /** Bytes of a worker's scratch for the sizes and the mask. */
    static final int BYTES = SIZES + 64;

    private ColumnGroups() {}

    /** What computes groups. */
    interface Body {
        /** Computes {@code count} groups from weight row {@code row} on, to the address {@code y}; the mask is for the last. */
        void run(int row, int count, long y, long mask);
    }

    /** Columns {@code from} to {@code to}, which go to the address {@code y}; there are no fewer than a group in all. */
    static void run(Simd simd, MemorySegment scratch, long base, int from, int to, long y, Body body) {
        int lanes = simd.lanes();
        int whole = (to - from) / lanes;
        int left = (to - from) % lanes;
        if (whole > 0) {
            body.run(from, whole, y, mask(simd, scratch, base, 0));
        }
        if (left > 0) {
            body.run(to - lanes, 1, y + 4L * (to - lanes - from), mask(simd, scratch, base, lanes - left));
        }
    }

    /** Lanes {@code from} on as the kernels want them. */
    private static long mask(Simd simd, MemorySegment scratch, long base, int from) {
        if (simd.wide()) {
            return (1L << simd.lanes()) - (1L << from);
        }
        for (int i = 0; i < simd.lanes(); i++) {
            scratch.set(ValueLayout.JAVA_INT, base + SIZES + 4L * i, i >= from ? -1 : 0);
        }
        return NativeCode.address(scratch, base + SIZES);
    }
}
