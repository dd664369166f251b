package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/** Q1_0, Q2_0, TQ1_0 and TQ2_0: one scale a block. The layouts are those of {@code TernaryBlocks} in poot.core.quant. */
final class TernaryRuns {
    static Run q1x0(BlockBytes k, Reg r) {
        KernelBuilder b = k.b();
        return Run.of(Codes.bytes(b, Codes.left(b, Codes.spread(b, k.u16(2, r, 2), 4), 1), 1), k.half(0));
    }

    static Run q2x0(BlockBytes k, Reg r) {
        Reg word = k.u32(2, r, 4);
        List<Reg> codes = new ArrayList<>(16);
        for (int shift = 0; shift < 32; shift += 2) {
            codes.add(Codes.number(k.b(), Codes.field(k.b(), word, shift, 3), 1));
        }
        return Run.of(codes, k.half(0));
    }

    static Run tq2x0(BlockBytes k, Reg r) {
        return Run.of(Codes.bytes(k.b(), KRuns.pairs(k, 0, r), 1), k.half(64));
    }

    /**
     * Runs 0 to 9 are digit r/2 of 16 of the bytes 0 to 31, runs 10 to 14 digit r - 10 of the bytes 32 to 47, and the last
     * run is digits 0 to 3 of the bytes 48 to 51.
     */
    static Run tq1x0(BlockBytes k, Reg r) {
        KernelBuilder b = k.b();
        Reg last = b.eq(r, 15);
        Reg early = b.lt(r, 10);
        Reg from = b.select(early, b.mul(b.and(r, 1), 4), b.select(last, b.u32(12), b.u32(8)));   // in words
        Reg digit = b.select(early, b.shr(r, 1), b.sub(r, 10));
        List<Reg> codes = new ArrayList<>(16);
        for (int i = 0; i < 4; i++) {
            Reg word = k.u32(0, b.add(from, b.select(last, b.u32(0), b.u32(i))), 4);
            Reg power = b.select(last, b.u32((int) Math.pow(3, i)), powerOfThree(b, digit));
            for (int shift = 0; shift < 32; shift += 8) {
                Reg rest = b.and(b.mul(Codes.field(b, word, shift, 0xFF), power), 0xFF);
                codes.add(Codes.number(b, b.shr(b.mul(rest, 3), 8), 1));
            }
        }
        return Run.of(codes, k.half(52));
    }

    /** 3 to the {@code n}, n from 0 to 4; anything beyond. */
    private static Reg powerOfThree(KernelBuilder b, Reg n) {
        return b.select(b.ge(n, b.u32(4)), b.u32(81), b.and(b.shr(b.u32(0x1B090301), b.and(b.mul(n, 8), 31)), 0xFF));
    }

    private TernaryRuns() {
    }
}
