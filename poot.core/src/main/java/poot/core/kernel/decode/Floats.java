package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** Plain floats in memory, read many at a time. */
public final class Floats {
    /** {@code count} elements from {@code index} on, a multiple of count, as F32: a power of two up to 16. */
    public static List<Reg> load(KernelBuilder b, MemoryType type, Reg from, Reg index, int count) {
        if (type.bytes() == 4 || count < 8) {
            return lanes(b, type, from, index, count);
        }
        List<Reg> out = new ArrayList<>(count);
        for (Reg word : lanes(b, MemoryType.U32, from, b.shr(index, 1), count / 2)) {
            if (type == MemoryType.BF16) {
                out.add(b.fromBits(b.shl(word, 16)));
                out.add(b.fromBits(b.and(word, 0xFFFF0000)));
            } else {
                out.add(b.fromF16Bits(word));
                out.add(b.fromF16Bits(b.shr(word, 16)));
            }
        }
        return out;
    }

    private static List<Reg> lanes(KernelBuilder b, MemoryType type, Reg from, Reg index, int count) {
        List<Reg> out = new ArrayList<>(count);
        while (out.size() < count) {
            out.addAll(b.load(type, from, b.add(index, out.size()), Math.min(4, count)));
        }
        return out;
    }

    /** A float type in memory. */
    public static MemoryType memory(ElementType element) {
        return switch (element) {
            case F32 -> MemoryType.F32;
            case F16 -> MemoryType.F16;
            case BF16 -> MemoryType.BF16;
            case I32, U32, BOOL, PACKED -> throw new IllegalArgumentException(element + " is not a float type");
        };
    }

    private Floats() {
    }
}
