package poot.families.components;

import static poot.api.graph.ElementType.F16;
import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;

import poot.api.graph.Builder;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Op.UnaryKind;
import poot.api.graph.Shape;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.KvForm;

/**
 * Features as {@link KvForm#Q8_0} stores them: in groups of 32, each its largest magnitude / 127 as an F16 scale and signed
 * 8-bit codes, the nearest multiples of the scale, halves upward. A group that holds an infinity or a NaN, or a magnitude
 * beyond 127 · 65504, gives nothing finite.
 */
final class Codes {
    private static final int BITS = 8;
    private static final int MOST = 127;

    private Codes() {}

    /**
     * Coded features.
     *
     * @param words  I32 [.., D/4], four codes a word, the first in the lowest byte
     * @param scales F16 [.., D/32]
     */
    record Packed(Value words, Value scales) {}

    /** Codes F32 features; D is a multiple of 32. */
    static Packed pack(Builder b, Value x /* [.., D] */) throws TraceException {
        Value g = b.reshape(x, split(x.shape(), KvForm.GROUP));                       // [.., D/32, 32]
        Value most = b.maximum(b.unary(UnaryKind.ABS, g), -1);                        // [.., D/32, 1]
        Value faults = b.sum(b.sub(g, g), -1);                                        // [.., D/32, 1]: 0, or NaN
        Value scale = b.cast(b.add(b.div(most, b.scalar((float) MOST)), faults), F16); // [.., D/32, 1]
        Value wide = b.cast(scale, F32);
        Value divisor = b.select(b.compare(CompareKind.GT, wide, b.scalar(0f)), wide, b.scalar(1f));
        Value near = b.unary(UnaryKind.FLOOR, b.add(b.div(g, divisor), 0.5f));        // [.., D/32, 32]
        near = b.min(b.max(near, b.scalar((float) -MOST)), b.scalar((float) MOST));
        Value code = b.reshape(b.cast(near, I32), split(x.shape(), KvForm.CODES));    // [.., D/4, 4]
        Value bytes = b.and(code, b.scalar((1 << BITS) - 1));
        Value placed = b.binary(BinaryKind.SHIFT_LEFT, bytes, words(b, 0, BITS));     // [.., D/4, 4]
        Value sum = b.reduce(ReduceKind.SUM, placed, -1);                             // [.., D/4, 1]
        return new Packed(b.reshape(sum, joined(sum.shape())), b.reshape(scale, joined(scale.shape())));
    }

    /** The features of codes, F32 [.., D]. */
    static Value unpack(Builder b, Value words /* I32 [.., D/4] */, Value scales /* F16 [.., D/32] */) throws TraceException {
        Value one = b.reshape(words, split(words.shape(), 1));                        // [.., D/4, 1]
        int high = Integer.SIZE - BITS;
        Value top = b.binary(BinaryKind.SHIFT_LEFT, one, words(b, high, -BITS));      // [.., D/4, 4]
        Value code = b.cast(b.binary(BinaryKind.SHIFT_RIGHT, top, b.scalar(high)), F32);
        int[] dims = split(scales.shape(), 1);
        Value scale = b.cast(b.reshape(scales, dims), F32);                           // [.., D/32, 1]
        dims[dims.length - 1] = KvForm.GROUP;
        Value x = b.mul(b.reshape(code, dims), scale);                                // [.., D/32, 32]
        dims = words.shape().dims();
        dims[dims.length - 1] *= KvForm.CODES;
        return b.reshape(x, dims);
    }

    /** I32 [4]: first, first + step … */
    private static Value words(Builder b, int first, int step) throws TraceException {
        return b.add(b.mul(b.iota(Shape.of(KvForm.CODES), 0), b.scalar(step)), b.scalar(first));
    }

    /** The last axis in pieces of {@code n}. */
    private static int[] split(Shape s, int n) {
        return s.slice(0, s.rank() - 1).concat(Shape.of(s.dim(-1) / n, n)).dims();
    }

    /** The last two axes, of which the last has extent 1, as one. */
    private static int[] joined(Shape s) {
        return s.slice(0, s.rank() - 1).dims();
    }
}
