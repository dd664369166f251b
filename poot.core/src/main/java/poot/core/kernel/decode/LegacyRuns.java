package poot.core.kernel.decode;

import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * Q4_0, Q4_1, Q5_0, Q5_1 and Q8_0: two runs of one scale, of four bits the low nibbles of 16 bytes and the high ones. The
 * layouts are those of {@code LegacyBlocks} in poot.core.quant.
 */
final class LegacyRuns {
    static Run q4x0(BlockBytes k, Reg r) {
        return Run.of(Codes.bytes(k.b(), nibbles(k, 2, k.b().u32(0), 0, r), 8), k.half(0));
    }

    static Run q4x1(BlockBytes k, Reg r) {
        return Run.of(Codes.bytes(k.b(), nibbles(k, 4, k.b().u32(0), 0, r), 0), k.half(0), k.half(2));
    }

    static Run q5x0(BlockBytes k, Reg r) {
        return Run.of(five(k, 2, 16, r), k.half(0));
    }

    static Run q5x1(BlockBytes k, Reg r) {
        return Run.of(five(k, 4, 0, r), k.half(0), k.half(2));
    }

    static Run q8x0(BlockBytes k, Reg r) {
        KernelBuilder b = k.b();
        List<Reg> words = k.words(4, 2, r, 16).stream().map(w -> b.xor(w, 0x80808080)).toList();
        return Run.of(Codes.bytes(b, words, 128), k.half(0));
    }

    /** 16 nibbles, one a byte, of the 16 bytes at {@code offset + times * stride}: the low ones of an even run, else the high ones. */
    static List<Reg> nibbles(BlockBytes k, int offset, Reg times, int stride, Reg run) {
        Reg shift = k.b().mul(k.b().and(run, 1), 4);
        return Codes.fields(k.b(), k.words(4, offset, times, stride), shift, 0x0F0F0F0F);
    }

    private static List<Reg> five(BlockBytes k, int qh, int bias, Reg r) {
        KernelBuilder b = k.b();
        Reg high = b.shr(k.u32(qh), b.mul(r, 16));
        List<Reg> low = nibbles(k, qh + 4, b.u32(0), 0, r);
        return Codes.bytes(b, Codes.join(b, low, Codes.left(b, Codes.spread(b, high, 4), 4)), bias);
    }

    private LegacyRuns() {
    }
}
