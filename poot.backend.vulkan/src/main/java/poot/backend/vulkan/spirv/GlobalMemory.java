package poot.backend.vulkan.spirv;

import java.util.HashSet;
import java.util.Set;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Param;
import poot.core.kernel.ir.Place;
import poot.core.kernel.ir.Reg;

/**
 * Loads and stores through 64-bit addresses. Narrow elements are widened as whole vectors, so that a device needs
 * 8- and 16-bit types in memory alone and no arithmetic of them.
 */
final class GlobalMemory {
    private final Writer w;
    private final Types types;
    private final Conversions conversions;
    /** Addresses of buffers that nothing writes while the kernel runs. */
    private final Set<Reg> constant = new HashSet<>();

    GlobalMemory(Writer w, Conversions conversions, DeviceKernel kernel) {
        this.w = w;
        this.types = w.types();
        this.conversions = conversions;
        for (Param p : kernel.params()) {
            if (p instanceof Param.Buffer b && b.access() == Access.READ) {
                constant.add(b.reg());
            }
        }
    }

    /** {@code buffer + count * strideBytes}. */
    int advance(Instruction.Advance i) {
        if (constant.contains(i.buffer())) {
            constant.add(i.result());
        }
        int u64 = types.u64();
        int bytes = w.op(Op.I_MUL, u64, w.op(Op.U_CONVERT, u64, w.get(i.count())), types.u64(i.strideBytes()));
        return w.op(Op.I_ADD, u64, w.get(i.buffer()), bytes);
    }

    /** The address of an element. */
    int address(Place.Global place) {
        int u64 = types.u64();
        int index = w.op(Op.U_CONVERT, u64, w.get(place.index()));
        int size = place.type().bytes();
        int bytes = size == 1 ? index : w.op(Op.I_MUL, u64, index, types.u64(size));
        return w.op(Op.I_ADD, u64, w.get(place.buffer()), bytes);
    }

    /** {@code lanes} elements as the registers that hold them. */
    int[] load(Place.Global place, int lanes) {
        return lanes(fromMemory(place.type(), raw(place, element(place.type()), lanes), lanes), w.types().register(place.type().register()), lanes);
    }

    /** {@code lanes} words of 32 bits, whatever lies there. */
    int[] words(Place.Global place, int lanes) {
        return lanes(raw(place, types.u32(), lanes), types.u32(), lanes);
    }

    private int raw(Place.Global place, int element, int lanes) {
        int vector = types.vector(element, lanes);
        int pointer = pointer(place, vector);
        return w.op(Op.LOAD, vector, pointer, access(place), alignment(place, element, lanes));
    }

    private int alignment(Place.Global place, int element, int lanes) {
        return lanes * (element == types.u32() ? 4 : place.type().bytes());
    }

    /** Stores registers as elements. */
    void store(Place.Global place, int[] values) {
        int lanes = values.length;
        int vector = types.vector(element(place.type()), lanes);
        int value = toMemory(place.type(), values, lanes);
        w.effect(Op.STORE, pointer(place, vector), value, access(place), lanes * place.type().bytes());
    }

    /** A pointer to a U32 for atomics. */
    int pointer(Place.Global place) {
        return pointer(place, types.u32());
    }

    private int pointer(Place.Global place, int type) {
        return w.op(Op.CONVERT_U_TO_PTR, types.pointer(Spirv.STORAGE_PHYSICAL, type), address(place));
    }

    /** How memory is accessed: aligned; and where other threads may write it, not privately. */
    int access(Place.Global place) {
        return Spirv.ACCESS_ALIGNED | (constant.contains(place.buffer()) ? 0 : Spirv.ACCESS_NON_PRIVATE);
    }

    private int element(MemoryType type) {
        return switch (type) {
            case U8, I8 -> {
                w.module().capability(Spirv.CAPABILITY_STORAGE_BUFFER_8);
                yield types.u8();
            }
            case U16, I16, BF16 -> halves();
            case F16 -> {
                if (!conversions.halfInMemory()) {
                    yield halves();
                }
                w.module().capability(Spirv.CAPABILITY_STORAGE_BUFFER_16);
                yield types.f16();
            }
            case U32, I32 -> types.u32();
            case F32 -> types.f32();
        };
    }

    private int halves() {
        w.module().capability(Spirv.CAPABILITY_STORAGE_BUFFER_16);
        return types.u16();
    }

    /** Widens what was loaded. */
    private int fromMemory(MemoryType type, int loaded, int lanes) {
        return switch (type) {
            case U8, U16 -> w.op(Op.U_CONVERT, types.vector(types.u32(), lanes), loaded);
            case I8, I16 -> w.op(Op.S_CONVERT, types.vector(types.u32(), lanes), loaded);
            case U32, I32, F32 -> loaded;
            case BF16 -> each(w.op(Op.U_CONVERT, types.vector(types.u32(), lanes), loaded), lanes, conversions::fromBrainBits);
            case F16 -> conversions.halfInMemory() ? w.op(Op.F_CONVERT, types.vector(types.f32(), lanes), loaded)
                    : each(w.op(Op.U_CONVERT, types.vector(types.u32(), lanes), loaded), lanes, conversions::fromHalfBits);
        };
    }

    private int toMemory(MemoryType type, int[] values, int lanes) {
        return switch (type) {
            case U8, I8 -> w.op(Op.U_CONVERT, types.vector(types.u8(), lanes), join(types.u32(), values));
            case U16, I16 -> w.op(Op.U_CONVERT, types.vector(types.u16(), lanes), join(types.u32(), values));
            case U32, I32 -> join(types.u32(), values);
            case F32 -> join(types.f32(), values);
            case BF16 -> w.op(Op.U_CONVERT, types.vector(types.u16(), lanes), bits(values, conversions::brainBits));
            case F16 -> conversions.halfInMemory() ? w.op(Op.F_CONVERT, types.vector(types.f16(), lanes), join(types.f32(), values))
                    : w.op(Op.U_CONVERT, types.vector(types.u16(), lanes), bits(values, conversions::halfBits));
        };
    }

    /** A vector of scalars; of one the scalar itself. */
    private int join(int type, int[] values) {
        return values.length == 1 ? values[0] : w.op(Op.COMPOSITE_CONSTRUCT, types.vector(type, values.length), values);
    }

    /** A vector of F32 from a vector of bits. */
    private int each(int vector, int lanes, Convert convert) {
        int[] bits = lanes(vector, types.u32(), lanes);
        int[] out = new int[lanes];
        for (int i = 0; i < lanes; i++) {
            out[i] = convert.apply(bits[i]);
        }
        return join(types.f32(), out);
    }

    /** A vector of bits from F32s. */
    private int bits(int[] values, Convert convert) {
        int[] out = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            out[i] = convert.apply(values[i]);
        }
        return join(types.u32(), out);
    }

    private int[] lanes(int vector, int type, int lanes) {
        if (lanes == 1) {
            return new int[] {vector};
        }
        int[] out = new int[lanes];
        for (int i = 0; i < lanes; i++) {
            out[i] = w.extract(type, vector, i);
        }
        return out;
    }

    /** One number to another. */
    private interface Convert {
        int apply(int id);
    }
}
