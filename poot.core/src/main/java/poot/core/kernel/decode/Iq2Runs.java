package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * IQ2_XXS, IQ2_XS and IQ2_S: a run is two points of eight magnitudes, with signs. The layouts are those of
 * {@code Iq2Blocks} in poot.core.quant.
 */
final class Iq2Runs {
    static Run xxs(BlockBytes k, Reg grid, Reg r) {
        KernelBuilder b = k.b();
        Reg qs = k.u16(2, b.mad(b.shr(r, 1), 4, b.and(r, 1)), 2);
        Reg word = k.u32(6, b.shr(r, 1), 8);
        Reg signs = b.shr(word, b.mul(b.and(r, 1), 14));
        List<Reg> codes = new ArrayList<>(16);
        for (int g = 0; g < 2; g++) {
            codes.addAll(point(b, grid, Codes.field(b, qs, 8 * g, 0xFF), evenSigns(b, Codes.field(b, signs, 7 * g, 127))));
        }
        return Run.of(codes, scale(b, k.half(0), b.shr(word, 28), 0.25f));
    }

    static Run xs(BlockBytes k, Reg grid, Reg r) {
        KernelBuilder b = k.b();
        Reg words = k.u32(2, r, 4);
        List<Reg> codes = new ArrayList<>(16);
        for (int g = 0; g < 2; g++) {
            Reg word = Codes.field(b, words, 16 * g, 0xFFFF);
            codes.addAll(point(b, grid, b.and(word, 511), evenSigns(b, b.shr(word, 9))));
        }
        return Run.of(codes, scale(b, k.half(0), nibble(k, 66, r), 0.25f));
    }

    static Run s(BlockBytes k, Reg grid, Reg r) {
        KernelBuilder b = k.b();
        Reg qs = k.u16(2, r, 2);
        Reg signs = k.u16(34, r, 2);
        Reg high = nibble(k, 66, r);
        List<Reg> codes = new ArrayList<>(16);
        for (int g = 0; g < 2; g++) {
            Reg index = b.or(Codes.field(b, qs, 8 * g, 0xFF), b.shl(Codes.field(b, high, 2 * g, 3), 8));
            codes.addAll(point(b, grid, index, b.shr(signs, 8 * g)));
        }
        return Run.of(codes, scale(b, k.half(0), nibble(k, 74, r), 0.25f));
    }

    /** Nibble {@code r} of the bytes from {@code offset} on, low first. */
    static Reg nibble(BlockBytes k, int offset, Reg r) {
        KernelBuilder b = k.b();
        return b.and(b.shr(k.u8(offset, b.shr(r, 1), 1), b.mul(b.and(r, 1), 4)), 15);
    }

    /** {@code d (1/2 + s) part}. */
    static Reg scale(KernelBuilder b, Reg d, Reg s, float part) {
        return b.mul(b.mul(d, b.add(Codes.number(b, s, 0), b.f32(0.5f))), part);
    }

    /** Eight signs of a 7-bit code: the code, and a top bit that makes their number even. */
    static Reg evenSigns(KernelBuilder b, Reg code) {
        Reg folded = b.xor(code, b.shr(code, 4));
        folded = b.xor(folded, b.shr(folded, 2));
        folded = b.xor(folded, b.shr(folded, 1));
        return b.or(code, b.shl(b.and(folded, 1), 7));
    }

    private static List<Reg> point(KernelBuilder b, Reg grid, Reg index, Reg signs) {
        return Codes.signed(b, b.load(MemoryType.U32, grid, b.mul(index, 2), 2), signs);
    }

    private Iq2Runs() {
    }
}
