package poot.backend.cpu.kernel.row;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;

/** Vector loops over one contiguous row of F32, accumulated in F32 in several lanes. */
public final class RowMath {
    private RowMath() {}

    /** Σ x. */
    public static float sum(MemorySegment s, long at, int n) {
        FloatVector acc = FloatVector.zero(F32);
        FloatVector more = FloatVector.zero(F32);
        int i = 0;
        for (int end = n & -2 * COUNT; i < end; i += 2 * COUNT) {
            acc = acc.add(Lanes.load(s, at + 4L * i));
            more = more.add(Lanes.load(s, at + 4L * (i + COUNT)));
        }
        float total = Lanes.sum(acc.add(more));
        for (; i < n; i++) {
            total += s.get(FLOAT, at + 4L * i);
        }
        return total;
    }

    /** Σ (x - shift)². */
    public static float squares(MemorySegment s, long at, int n, float shift) {
        FloatVector acc = FloatVector.zero(F32);
        FloatVector more = FloatVector.zero(F32);
        int i = 0;
        for (int end = n & -2 * COUNT; i < end; i += 2 * COUNT) {
            FloatVector a = Lanes.load(s, at + 4L * i).sub(shift);
            FloatVector b = Lanes.load(s, at + 4L * (i + COUNT)).sub(shift);
            acc = a.fma(a, acc);
            more = b.fma(b, more);
        }
        float total = Lanes.sum(acc.add(more));
        for (; i < n; i++) {
            float d = s.get(FLOAT, at + 4L * i) - shift;
            total += d * d;
        }
        return total;
    }

    /** The largest element; NaN passes over, of NaN alone minus infinity. */
    public static float largest(MemorySegment s, long at, int n) {
        FloatVector acc = FloatVector.broadcast(F32, Float.NEGATIVE_INFINITY);
        int i = 0;
        for (int end = Lanes.whole(n); i < end; i += COUNT) {
            FloatVector x = Lanes.load(s, at + 4L * i);
            acc = acc.blend(x, x.compare(VectorOperators.GT, acc));
        }
        float best = acc.reduceLanes(VectorOperators.MAX);
        for (; i < n; i++) {
            float x = s.get(FLOAT, at + 4L * i);
            best = x > best ? x : best;
        }
        return best;
    }

    /** The smallest element; NaN passes over, of NaN alone infinity. */
    public static float smallest(MemorySegment s, long at, int n) {
        FloatVector acc = FloatVector.broadcast(F32, Float.POSITIVE_INFINITY);
        int i = 0;
        for (int end = Lanes.whole(n); i < end; i += COUNT) {
            FloatVector x = Lanes.load(s, at + 4L * i);
            acc = acc.blend(x, x.compare(VectorOperators.LT, acc));
        }
        float best = acc.reduceLanes(VectorOperators.MIN);
        for (; i < n; i++) {
            float x = s.get(FLOAT, at + 4L * i);
            best = x < best ? x : best;
        }
        return best;
    }

    /** out = (x - shift) · scale · (w + offset). */
    public static void scale(
            MemorySegment s, long at, float shift, float scale, MemorySegment w, long wAt, float offset,
            MemorySegment out, long to, int n) {
        int i = 0;
        for (int end = Lanes.whole(n); i < end; i += COUNT) {
            FloatVector x = Lanes.load(s, at + 4L * i).sub(shift).mul(scale);
            x.mul(Lanes.load(w, wAt + 4L * i).add(offset)).intoMemorySegment(out, to + 4L * i, Lanes.LITTLE);
        }
        for (; i < n; i++) {
            float x = (s.get(FLOAT, at + 4L * i) - shift) * scale;
            out.set(FLOAT, to + 4L * i, x * (w.get(FLOAT, wAt + 4L * i) + offset));
        }
    }

    /** out += b. */
    public static void add(MemorySegment out, long to, MemorySegment b, long at, int n) {
        int i = 0;
        for (int end = Lanes.whole(n); i < end; i += COUNT) {
            Lanes.load(out, to + 4L * i).add(Lanes.load(b, at + 4L * i)).intoMemorySegment(out, to + 4L * i, Lanes.LITTLE);
        }
        for (; i < n; i++) {
            out.set(FLOAT, to + 4L * i, out.get(FLOAT, to + 4L * i) + b.get(FLOAT, at + 4L * i));
        }
    }
}
