package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.LITTLE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Functions;
import poot.backend.cpu.kernel.Lanes;

/** The row loops of an online softmax. Rows have room for whole vectors: {@code n} is rounded up to them. */
final class Softmax {
    private Softmax() {}

    /** x = cap · tanh(x / cap). */
    static void cap(MemorySegment s, long at, int n, float cap) {
        float inverse = 1 / cap;
        for (int i = 0; i < n; i += COUNT) {
            Functions.tanh(Lanes.load(s, at + 4L * i).mul(inverse)).mul(cap).intoMemorySegment(s, at + 4L * i, LITTLE);
        }
    }

    /** x[i] += slope · (first + i). */
    static void slope(MemorySegment s, long at, int n, float slope, int first) {
        for (int i = 0; i < n; i++) {
            s.set(FLOAT, at + 4L * i, s.get(FLOAT, at + 4L * i) + slope * (first + i));
        }
    }

    /** Elements outside [from, to) become minus infinity, to a whole vector past {@code n}. */
    static void mask(MemorySegment s, long at, int n, int from, int to) {
        int end = (n + COUNT - 1) & -COUNT;
        for (int i = 0; i < from; i++) {
            s.set(FLOAT, at + 4L * i, Float.NEGATIVE_INFINITY);
        }
        for (int i = to; i < end; i++) {
            s.set(FLOAT, at + 4L * i, Float.NEGATIVE_INFINITY);
        }
    }

    /** The largest element. */
    static float max(MemorySegment s, long at, int n) {
        FloatVector acc = FloatVector.broadcast(F32, Float.NEGATIVE_INFINITY);
        for (int i = 0; i < n; i += COUNT) {
            acc = acc.max(Lanes.load(s, at + 4L * i));
        }
        return acc.reduceLanes(VectorOperators.MAX);
    }

    /** x = e^(x - shift), where no x is above the shift; the sum of the results. */
    static float exp(MemorySegment s, long at, int n, float shift) {
        FloatVector acc = FloatVector.zero(F32);
        for (int i = 0; i < n; i += COUNT) {
            FloatVector e = Functions.expOfNegative(Lanes.load(s, at + 4L * i).sub(shift));
            e.intoMemorySegment(s, at + 4L * i, LITTLE);
            acc = acc.add(e);
        }
        return Lanes.sum(acc);
    }

    /** out = x · factor. */
    static void scale(MemorySegment s, long at, float factor, MemorySegment out, long to, int n) {
        int i = 0;
        for (int end = Lanes.whole(n); i < end; i += COUNT) {
            Lanes.load(s, at + 4L * i).mul(factor).intoMemorySegment(out, to + 4L * i, LITTLE);
        }
        for (; i < n; i++) {
            out.set(FLOAT, to + 4L * i, s.get(FLOAT, at + 4L * i) * factor);
        }
    }

    /** out += x · factor. */
    static void addScaled(MemorySegment s, long at, float factor, MemorySegment out, long to, int n) {
        int i = 0;
        for (int end = Lanes.whole(n); i < end; i += COUNT) {
            FloatVector sum = Lanes.load(s, at + 4L * i).fma(FloatVector.broadcast(F32, factor), Lanes.load(out, to + 4L * i));
            sum.intoMemorySegment(out, to + 4L * i, LITTLE);
        }
        for (; i < n; i++) {
            out.set(FLOAT, to + 4L * i, Math.fma(s.get(FLOAT, at + 4L * i), factor, out.get(FLOAT, to + 4L * i)));
        }
    }
}
