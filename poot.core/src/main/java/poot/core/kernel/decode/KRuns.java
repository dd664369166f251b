package poot.core.kernel.decode;

import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * The K formats: 16 runs a block, whose scales (and minima) are small integers under a binary16. The layouts are those of
 * {@code KBlocks} in poot.core.quant.
 */
final class KRuns {
    private static final int PAIRS = 0x03030303;
    private static final int BITS = 0x01010101;

    static Run q2(BlockBytes k, Reg r) {
        KernelBuilder b = k.b();
        Reg packed = k.u8(0, r, 1);
        Reg scale = b.mul(k.half(80), Codes.number(b, b.and(packed, 15), 0));
        Reg min = b.mul(k.half(82), Codes.number(b, b.shr(packed, 4), 0));
        return Run.of(Codes.bytes(b, pairs(k, 16, r), 0), scale, b.neg(min));
    }

    static Run q3(BlockBytes k, Reg r) {
        KernelBuilder b = k.b();
        List<Reg> third = Codes.fields(b, k.words(4, 0, b.and(r, 1), 16), b.shr(r, 1), BITS);
        List<Reg> codes = Codes.bytes(b, Codes.join(b, pairs(k, 32, r), Codes.left(b, third, 2)), 4);
        Reg low = b.and(b.shr(k.u8(96, b.and(r, 7), 1), b.mul(b.shr(r, 3), 4)), 15);
        Reg high = b.and(b.shr(k.u8(104, b.and(r, 3), 1), b.mul(b.shr(r, 2), 2)), 3);
        return Run.of(codes, b.mul(k.half(108), Codes.number(b, b.or(low, b.shl(high, 4)), 32)));
    }

    static Run q4(BlockBytes k, Reg r) {
        return fine(k, r, LegacyRuns.nibbles(k, 16, halfOfSixtyFour(k.b(), r), 16, k.b().shr(r, 1)));
    }

    static Run q5(BlockBytes k, Reg r) {
        KernelBuilder b = k.b();
        List<Reg> low = LegacyRuns.nibbles(k, 48, halfOfSixtyFour(b, r), 16, b.shr(r, 1));
        List<Reg> fifth = Codes.fields(b, k.words(4, 16, b.and(r, 1), 16), b.shr(r, 1), BITS);
        return fine(k, r, Codes.join(b, low, Codes.left(b, fifth, 4)));
    }

    static Run q6(BlockBytes k, Reg r) {
        KernelBuilder b = k.b();
        Reg half = b.shr(r, 3);
        Reg quarter = b.and(b.shr(r, 1), 3);
        Reg inner = b.and(r, 3);                                              // which 16 of the 64 bytes of low bits
        List<Reg> low = LegacyRuns.nibbles(k, 0, b.mad(half, 4, inner), 16, b.shr(quarter, 1));
        List<Reg> high = Codes.fields(b, k.words(4, 128, b.mad(half, 2, b.and(r, 1)), 16), b.mul(quarter, 2), PAIRS);
        Reg scale = b.mul(k.half(208), b.toF32(k.i8(192, r)));
        return Run.of(Codes.bytes(b, Codes.join(b, low, Codes.left(b, high, 4)), 32), scale);
    }

    /** Two-bit codes in stretches of 128 elements: run r is field r/2 mod 4 of 16 of the stretch's 32 bytes. */
    static List<Reg> pairs(BlockBytes k, int offset, Reg r) {
        KernelBuilder b = k.b();
        Reg sixteen = b.mad(b.shr(r, 3), 2, b.and(r, 1));
        return Codes.fields(b, k.words(4, offset, sixteen, 16), b.mul(b.and(b.shr(r, 1), 3), 2), PAIRS);
    }

    /** Which 16 bytes hold run r, where 32 bytes hold the nibbles of 64 elements. */
    private static Reg halfOfSixtyFour(KernelBuilder b, Reg r) {
        return b.mad(b.shr(r, 2), 2, b.and(r, 1));
    }

    /** The scales and minima of Q4_K and Q5_K: d, dmin and 12 bytes at the head of the block, six bits each. */
    private static Run fine(BlockBytes k, Reg r, List<Reg> words) {
        KernelBuilder b = k.b();
        List<Reg> head = k.words(4, 0, b.u32(0), 0);
        Reg sub = b.shr(r, 1);
        Reg shift = b.mul(b.and(sub, 3), 8);
        Reg first = b.lt(sub, 4);
        Reg scales = b.shr(head.get(1), shift);
        Reg mins = b.shr(head.get(2), shift);
        Reg later = b.shr(head.get(3), shift);
        Reg scale = b.select(first, b.and(scales, 63), b.or(b.and(later, 15), b.and(b.shr(scales, 2), 48)));
        Reg min = b.select(first, b.and(mins, 63), b.or(b.and(b.shr(later, 4), 15), b.and(b.shr(mins, 2), 48)));
        Reg offset = b.neg(b.mul(b.fromF16Bits(b.shr(head.getFirst(), 16)), Codes.number(b, min, 0)));
        return Run.of(Codes.bytes(b, words, 0), b.mul(b.fromF16Bits(head.getFirst()), Codes.number(b, scale, 0)), offset);
    }

    private KRuns() {
    }
}
