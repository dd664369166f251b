package poot.backend.cpu.kernel.pointwise;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.memory.Region;

/** A dense operand seen in the shape of a result it broadcasts to: extents and element strides, merged where possible. */
final class View {
    private final Region region;
    private final ElementType element;
    private final long[] extents;
    private final long[] strides;

    View(Region region, ElementType element, Shape operand, Shape result) {
        this.region = region;
        this.element = element;
        int rank = result.rank();
        long[] e = new long[rank + 1];
        long[] s = new long[rank + 1];
        int used = 0;
        long stride = 1;
        for (int axis = rank - 1; axis >= 0; axis--) {
            int from = axis - rank + operand.rank();
            int own = from >= 0 ? operand.dim(from) : 1;
            long step = own == 1 ? 0 : stride;
            int extent = result.dim(axis);
            if (extent != 1) {
                if (used > 0 && s[used - 1] * e[used - 1] == step) {
                    e[used - 1] *= extent;
                } else {
                    e[used] = extent;
                    s[used++] = step;
                }
            }
            stride *= own;
        }
        if (used == 0) {
            e[0] = 1;
            used = 1;
        }
        extents = Arrays.copyOf(e, used);
        strides = Arrays.copyOf(s, used);
    }

    ElementType element() {
        return element;
    }

    /** Puts elements {@code from} … of the result at {@code to} of a register, as F32 or as words by the element type. */
    void fill(long from, int count, float[] floats, int[] words, int to) {
        if (extents.length == 1) {
            run(from * strides[0], strides[0] == 0 ? 1 : count, floats, words, to);
            if (strides[0] == 0) {
                spread(floats, words, to, count);
            }
            return;
        }
        int done = 0;
        while (done < count) {
            long left = from + done;
            long inner = left % extents[0];
            int run = (int) Math.min(count - done, extents[0] - inner);
            long at = inner * strides[0];
            left /= extents[0];
            for (int i = 1; i < extents.length; i++) {
                at += left % extents[i] * strides[i];
                left /= extents[i];
            }
            if (strides[0] == 0 && run > 1) {
                run(at, 1, floats, words, to + done);
                spread(floats, words, to + done, run);
            } else {
                run(at, run, floats, words, to + done);
            }
            done += run;
        }
    }

    private void spread(float[] floats, int[] words, int at, int run) {
        if (element.isFloat()) {
            Arrays.fill(floats, at, at + run, floats[at]);
        } else {
            Arrays.fill(words, at, at + run, words[at]);
        }
    }

    private void run(long at, int count, float[] floats, int[] words, int to) {
        MemorySegment s = region.segment();
        long from = region.offset() + at * element.bytes();
        switch (element) {
            case F32 -> MemorySegment.copy(s, Lanes.FLOAT, from, floats, to, count);
            case I32, U32 -> MemorySegment.copy(s, Lanes.INT, from, words, to, count);
            case F16 -> Halves.widenF16(s, from, floats, to, count);
            case BF16 -> Halves.widenBf16(s, from, floats, to, count);
            case BOOL -> {
                for (int i = 0; i < count; i++) {
                    words[to + i] = s.get(Lanes.BYTE, from + i);
                }
            }
            case PACKED -> throw new IllegalStateException("packed elements are only decoded");
        }
    }

    /** Stores a register from {@code first} on as elements {@code from} … of a dense value. */
    static void store(Region to, ElementType element, long from, int count, float[] floats, int[] words, int first) {
        MemorySegment s = to.segment();
        long at = to.offset() + from * element.bytes();
        switch (element) {
            case F32 -> MemorySegment.copy(floats, first, s, Lanes.FLOAT, at, count);
            case I32, U32 -> MemorySegment.copy(words, first, s, Lanes.INT, at, count);
            case F16 -> Halves.narrowF16(floats, first, s, at, count);
            case BF16 -> Halves.narrowBf16(floats, first, s, at, count);
            case BOOL -> {
                for (int i = 0; i < count; i++) {
                    s.set(Lanes.BYTE, at + i, (byte) words[first + i]);
                }
            }
            case PACKED -> throw new IllegalStateException("packed elements are never stored");
        }
    }
}
