package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/** IQ4_NL, IQ4_XS, MXFP4 and NVFP4: a code names one of 16 levels. The layouts are those of {@code TableBlocks} in poot.core.quant. */
final class TableRuns {
    static Run iq4nl(BlockBytes k, Reg levels, Reg r) {
        return Run.of(Codes.look(k.b(), levels, LegacyRuns.nibbles(k, 2, k.b().u32(0), 0, r)), k.half(0));
    }

    static Run iq4xs(BlockBytes k, Reg levels, Reg r) {
        KernelBuilder b = k.b();
        Reg sub = b.shr(r, 1);
        Reg low = b.and(b.shr(k.u32(4), b.mul(sub, 4)), 15);
        Reg high = b.and(b.shr(k.u16(2), b.mul(sub, 2)), 3);
        Reg scale = b.mul(k.half(0), Codes.number(b, b.or(low, b.shl(high, 4)), 32));
        return Run.of(Codes.look(b, levels, LegacyRuns.nibbles(k, 8, sub, 16, r)), scale);
    }

    static Run mxfp4(BlockBytes k, Reg levels, Reg r) {
        List<Reg> codes = Codes.look(k.b(), levels, LegacyRuns.nibbles(k, 1, k.b().u32(0), 0, r));
        return Run.of(codes, halfPowerOfTwo(k.b(), k.u8(0)));
    }

    static Run nvfp4(BlockBytes k, Reg levels, Reg r) {
        KernelBuilder b = k.b();
        List<Reg> both = k.words(2, 4, r, 8);
        List<Reg> words = new ArrayList<>(4);
        for (int shift = 0; shift < 8; shift += 4) {
            for (Reg w : both) {
                words.add(Codes.field(b, w, shift, 0x0F0F0F0F));
            }
        }
        Reg code = k.u8(0, r, 1);
        Reg half = b.mul(Fp8Decoder.finite(b, b.and(code, 0x7F)), 0.5f);
        return Run.of(Codes.look(b, levels, words), b.select(b.eq(code, 0x7F), b.f32(0), half));
    }

    /** 2^(e - 128), subnormal for e of 0 and 1. */
    static Reg halfPowerOfTwo(KernelBuilder b, Reg e) {
        return b.fromBits(b.select(b.lt(e, 2), b.shl(b.u32(0x200000), b.and(e, 1)), b.shl(b.sub(e, 1), 23)));
    }

    private TableRuns() {
    }
}
