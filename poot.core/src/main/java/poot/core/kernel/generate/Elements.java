package poot.core.kernel.generate;

import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** How the elements of tensors lie in memory and in registers: floats as F32, truth values as BOOL, of which memory has bytes. */
public final class Elements {
    private Elements() {}

    /** What lies in memory. */
    public static MemoryType memory(ElementType e) {
        return switch (e) {
            case F32 -> MemoryType.F32;
            case F16 -> MemoryType.F16;
            case BF16 -> MemoryType.BF16;
            case I32 -> MemoryType.I32;
            case U32 -> MemoryType.U32;
            case BOOL -> MemoryType.U8;
            case PACKED -> throw new IllegalArgumentException("packed elements lie in blocks: decode them");
        };
    }

    /** What a register holds. */
    public static ScalarType register(ElementType e) {
        return e == ElementType.BOOL ? ScalarType.BOOL : memory(e).register();
    }

    /** Words of 1, 2 or 4 bytes whatever they mean. */
    public static MemoryType bits(int bytes) {
        return switch (bytes) {
            case 1 -> MemoryType.U8;
            case 2 -> MemoryType.U16;
            case 4 -> MemoryType.U32;
            default -> throw new IllegalArgumentException("elements of " + bytes + " bytes: use 1, 2 or 4");
        };
    }

    /** One element. */
    public static Reg load(KernelBuilder b, ElementType e, Reg buffer, Reg index) {
        return load(b, e, buffer, index, 1).getFirst();
    }

    /** 1, 2 or 4 elements from {@code index} on, a multiple of as many. */
    public static List<Reg> load(KernelBuilder b, ElementType e, Reg buffer, Reg index, int lanes) {
        List<Reg> raw = b.load(memory(e), buffer, index, lanes);
        return e == ElementType.BOOL ? raw.stream().map(r -> b.ne(r, 0)).toList() : raw;
    }

    /** Writes 1, 2 or 4 elements from {@code index} on, a multiple of as many. */
    public static void store(KernelBuilder b, ElementType e, Reg buffer, Reg index, List<Reg> values) {
        b.store(memory(e), buffer, index, e == ElementType.BOOL ? values.stream().map(b::toU32).toList() : values);
    }

    /** Writes one element. */
    public static void store(KernelBuilder b, ElementType e, Reg buffer, Reg index, Reg value) {
        store(b, e, buffer, index, List.of(value));
    }
}
