package poot.core.kernel.generate.attention;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * The features of keys or values: [slots, groups, width], and where they are coded their scales, [slots, groups, width/32].
 *
 * @param data the buffer of features
 * @param scales the buffer of scales, F16; null where features have none
 */
record Features(KernelBuilder b, CacheForm form, int groups, int width, Reg data, Reg scales) {
    /** How many features lie together on a multiple of their bytes, for the widest loads: 8, 4 or 1. */
    static int together(int width) {
        return width % 8 == 0 ? 8 : width % 4 == 0 ? 4 : 1;
    }

    /**
     * Some features as F32.
     *
     * @param slot U32, an existing one
     * @param first U32, the first feature, counted from the slot's first group; a multiple of {@code count}
     * @param count 8, 4 or 1
     */
    List<Reg> load(Reg slot, Reg first, int count) {
        Reg row = b.advance(data, slot, (long) groups * width * form.bytes());
        return switch (form) {
            case F32 -> wide(MemoryType.F32, row, first, count);
            case F16, BF16 -> count == 8 ? halves(row, first) : b.load(form == CacheForm.F16 ? MemoryType.F16 : MemoryType.BF16, row, first, count);
            case CODED -> coded(slot, row, first, count);
        };
    }

    private List<Reg> wide(MemoryType type, Reg row, Reg first, int count) {
        List<Reg> out = new ArrayList<>();
        for (int i = 0; i < count; i += 4) {
            out.addAll(b.load(type, row, b.add(first, i), Math.min(count, 4)));
        }
        return out;
    }

    /** Eight features of 2 bytes in one load. */
    private List<Reg> halves(Reg row, Reg first) {
        List<Reg> out = new ArrayList<>();
        for (Reg word : b.load(MemoryType.U32, row, b.shr(first, 1), 4)) {
            if (form == CacheForm.F16) {
                out.add(b.fromF16Bits(b.and(word, 0xffff)));
                out.add(b.fromF16Bits(b.shr(word, 16)));
            } else {
                out.add(b.fromBits(b.shl(word, 16)));
                out.add(b.fromBits(b.and(word, 0xffff0000)));
            }
        }
        return out;
    }

    private List<Reg> coded(Reg slot, Reg row, Reg first, int count) {
        Reg ofSlot = b.advance(scales, slot, (long) groups * width / AttentionSpec.CODED_TOGETHER * MemoryType.F16.bytes());
        Reg scale = b.load(MemoryType.F16, ofSlot, b.div(first, AttentionSpec.CODED_TOGETHER));
        return wide(MemoryType.I8, row, first, count).stream().map(code -> b.mul(b.toF32(code), scale)).toList();
    }
}
