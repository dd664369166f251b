package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * IQ3_XXS and IQ3_S: a run is four points of four magnitudes, with signs. The layouts are those of {@code Iq3Blocks} in
 * poot.core.quant.
 */
final class Iq3Runs {
    static Run xxs(BlockBytes k, Reg grid, Reg r) {
        KernelBuilder b = k.b();
        Reg word = k.u32(66, b.shr(r, 1), 4);
        Reg codes = b.shr(word, b.mul(b.and(r, 1), 14));
        Reg first = Iq2Runs.evenSigns(b, b.and(codes, 127));
        Reg second = Iq2Runs.evenSigns(b, Codes.field(b, codes, 7, 127));
        List<Reg> magnitudes = points(k, grid, r, b.u32(0));
        return Run.of(Codes.signed(b, magnitudes, b.or(first, b.shl(second, 8))), Iq2Runs.scale(b, k.half(0), b.shr(word, 28), 0.5f));
    }

    static Run s(BlockBytes k, Reg grid, Reg r) {
        KernelBuilder b = k.b();
        List<Reg> magnitudes = points(k, grid, r, Iq2Runs.nibble(k, 66, r));
        Reg s = Iq2Runs.nibble(k, 106, b.shr(r, 1));
        Reg scale = b.mul(k.half(0), Codes.number(b, b.add(b.mul(s, 2), 1), 0));
        return Run.of(Codes.signed(b, magnitudes, k.u16(74, r, 2)), scale);
    }

    /** The four points of a run: eight bits of each index at 2, the ninth a bit of {@code high}. */
    private static List<Reg> points(BlockBytes k, Reg grid, Reg r, Reg high) {
        KernelBuilder b = k.b();
        Reg qs = k.u32(2, r, 4);
        List<Reg> out = new ArrayList<>(4);
        for (int i = 0; i < 4; i++) {
            Reg ninth = b.and(b.shl(high, 8 - i), 256);
            out.add(b.load(MemoryType.U32, grid, b.or(Codes.field(b, qs, 8 * i, 0xFF), ninth)));
        }
        return out;
    }

    private Iq3Runs() {
    }
}
