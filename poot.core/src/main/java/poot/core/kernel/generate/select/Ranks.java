package poot.core.kernel.generate.select;

import poot.api.graph.ElementType;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** Elements as U32 that rise where elements rise; zeros of both signs are one, NaN is the least of all. */
final class Ranks {
    /** The rank of what comes after everything that is a number. */
    static final int LAST = 0;
    private static final int SIGN = 0x80000000;

    private Ranks() {}

    /** The rank of an element in memory. */
    static Reg load(KernelBuilder b, ElementType e, Reg buffer, Reg index) {
        return of(b, b.load(Elements.memory(e), buffer, index));
    }

    /** The rank of an element where the smallest is looked for: rising where elements fall, NaN still the least. */
    static Reg loadFalling(KernelBuilder b, ElementType e, Reg buffer, Reg index) {
        Reg x = b.load(Elements.memory(e), buffer, index);
        Reg rank = b.not(of(b, x));
        return x.type() == ScalarType.F32 ? b.select(b.ne(x, x), b.u32(LAST), rank) : rank;
    }

    private static Reg of(KernelBuilder b, Reg x) {
        if (x.type() != ScalarType.F32) {
            return b.xor(b.toU32(x), SIGN);
        }
        Reg bits = b.select(b.eq(x, b.f32(0)), b.u32(0), b.bits(x));
        Reg negative = b.toU32(b.shr(b.toI32(bits), 31)); // all ones or zeros
        Reg rank = b.xor(bits, b.or(negative, b.u32(SIGN)));
        return b.select(b.ne(x, x), b.u32(LAST), rank);
    }
}
