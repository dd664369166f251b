package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import poot.api.graph.Weight;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.kernel.Emitted;
import poot.backend.cpu.x86.weight.Parts;
import poot.backend.cpu.x86.weight.Placement;

/** What the kernels of a weight are told: sizes, masks, and where its parts lie. A worker's are in its scratch. */
final class PartCalls {
    /** Bytes of a worker's scratch. */
    static final int BYTES = Parts.SIZES + 64;

    private final List<MemorySegment> parts;
    private final Placement placed;
    private final Simd simd;

    PartCalls(Weight w, Placement placed, Simd simd) {
        this.parts = w.parts();
        this.placed = placed;
        this.simd = simd;
    }

    /** The memory that a call must keep. */
    MemorySegment kept() {
        return parts.getFirst();
    }

    /** Sets what is the same for all calls of a range. */
    void sizes(MemorySegment scratch, long base, int steps, long outBytes, long tileBytes) {
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.ROW_BYTES, placed.stride());
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.STEPS, steps);
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.OUT_BYTES, outBytes);
        scratch.set(ValueLayout.JAVA_LONG, base + Emitted.TILE_BYTES, tileBytes);
    }

    /** Lanes {@code from} to {@code to} as the kernels want them. */
    long mask(MemorySegment scratch, long base, int from, int to) {
        if (simd.wide()) {
            return (1L << to) - (1L << from);
        }
        for (int i = 0; i < simd.lanes(); i++) {
            scratch.set(ValueLayout.JAVA_INT, base + Parts.SIZES + 4L * i, i >= from && i < to ? -1 : 0);
        }
        return NativeCode.address(scratch, base + Parts.SIZES);
    }

    /**
     * Says where the scales lie for the rows from {@code row} on.
     *
     * @param counts the first row that counts
     */
    void point(MemorySegment scratch, long base, int row, int counts) {
        long of = placed.byRange() ? counts : row;
        Placement.Part scales = placed.scales();
        scratch.set(ValueLayout.JAVA_LONG, base + Parts.SCALES, NativeCode.address(parts.get(scales.index()), scales.at(of)));
        scratch.set(ValueLayout.JAVA_LONG, base + Parts.SCALE_BYTES, scales.step());
        scratch.set(ValueLayout.JAVA_LONG, base + Parts.SHARING, placed.sharing());
    }

    /** The address of the codes of a row at its first step. */
    long codes(long row) {
        return NativeCode.address(parts.getFirst(), placed.codes().at(row));
    }
}
