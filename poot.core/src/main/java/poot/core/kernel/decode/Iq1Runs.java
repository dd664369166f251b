package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** IQ1_S and IQ1_M: a run is two shifted points of eight coordinates. The layouts are those of {@code Iq1Blocks} in poot.core.quant. */
final class Iq1Runs {
    static Run s(BlockBytes k, Reg grid, Reg r) {
        KernelBuilder b = k.b();
        Reg qs = k.u16(2, r, 2);
        Reg qh = k.u16(34, b.shr(r, 1), 2);
        Reg high = b.shr(qh, b.mul(b.and(r, 1), 6));
        Reg down = b.ne(b.and(qh, 0x8000), 0);
        List<Reg> codes = new ArrayList<>(16);
        for (int g = 0; g < 2; g++) {
            Reg index = b.or(Codes.field(b, qs, 8 * g, 0xFF), b.shl(Codes.field(b, high, 3 * g, 7), 8));
            codes.addAll(eighths(b, grid, index, down));
        }
        return Run.of(codes, scale(b, k.half(0), b.and(b.shr(qh, 12), 7)));
    }

    static Run m(BlockBytes k, Reg grid, Reg r) {
        KernelBuilder b = k.b();
        Reg qs = k.u16(0, r, 2);
        Reg qh = k.u8(32, r, 1);
        List<Reg> codes = new ArrayList<>(16);
        for (int g = 0; g < 2; g++) {
            Reg index = b.or(Codes.field(b, qs, 8 * g, 0xFF), b.shl(Codes.field(b, qh, 4 * g, 7), 8));
            codes.addAll(eighths(b, grid, index, b.ne(b.and(qh, 8 << 4 * g), 0)));
        }
        Reg d = b.u32(0);
        for (int i = 0; i < 4; i++) {
            d = b.or(d, b.shl(b.shr(k.u16(48 + 2 * i), 12), 4 * i));
        }
        Reg scales = k.u16(48, b.shr(r, 2), 2);
        return Run.of(codes, scale(b, b.fromF16Bits(d), b.and(b.shr(scales, b.mul(b.and(r, 3), 3)), 7)));
    }

    /** {@code d (2 s + 1) / 8}. */
    private static Reg scale(KernelBuilder b, Reg d, Reg s) {
        return b.mul(b.mul(d, Codes.number(b, b.add(b.mul(s, 2), 1), 0)), 0.125f);
    }

    /** Eight times a shifted point. */
    private static List<Reg> eighths(KernelBuilder b, Reg grid, Reg index, Reg down) {
        Reg up = b.select(down, b.u32(0), b.u32(0x02020202));
        List<Reg> point = b.load(MemoryType.U32, grid, b.mul(index, 2), 2);
        return Codes.bytes(b, point.stream().map(w -> b.add(b.shl(w, 3), up)).toList(), 9);
    }

    private Iq1Runs() {
    }
}
