package poot.backend.vulkan.spirv;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Place;
import poot.core.kernel.ir.SharedArray;

/**
 * Shared arrays: each a variable of its own whose elements are unsigned integers of the element's size, so that any
 * thread writes its element without touching its neighbour's.
 */
final class SharedMemory {
    private final Writer w;
    private final Types types;
    private final Conversions conversions;
    private final Map<SharedArray, Integer> variables = new LinkedHashMap<>();

    SharedMemory(Writer w, Conversions conversions, DeviceKernel kernel) {
        this.w = w;
        this.types = w.types();
        this.conversions = conversions;
        for (SharedArray a : kernel.shared()) {
            int pointer = types.pointer(Spirv.STORAGE_WORKGROUP, types.array(element(a.type()), a.length()));
            int id = w.module().id();
            w.module().globals().op(Op.VARIABLE, pointer, id, Spirv.STORAGE_WORKGROUP);
            w.module().names().op(Op.NAME, new int[] {id}, a.name());
            variables.put(a, id);
        }
    }

    /** The variables, for the entry point. */
    List<Integer> variables() {
        return new ArrayList<>(variables.values());
    }

    /** {@code lanes} elements as the registers that hold them. */
    int[] load(Place.Shared place, int lanes) {
        int[] out = new int[lanes];
        MemoryType type = place.type();
        for (int i = 0; i < lanes; i++) {
            int raw = w.op(Op.LOAD, element(type), pointer(place, i), Spirv.ACCESS_NON_PRIVATE);
            out[i] = switch (type) {
                case U8, U16 -> w.op(Op.U_CONVERT, types.u32(), raw);
                case I8, I16 -> w.op(Op.S_CONVERT, types.u32(), raw);
                case U32, I32 -> raw;
                case F32 -> w.bits(types.f32(), raw);
                case BF16 -> conversions.fromBrainBits(w.op(Op.U_CONVERT, types.u32(), raw));
                case F16 -> conversions.fromHalfBits(w.op(Op.U_CONVERT, types.u32(), raw));
            };
        }
        return out;
    }

    /** Stores registers as elements. */
    void store(Place.Shared place, int[] values) {
        MemoryType type = place.type();
        for (int i = 0; i < values.length; i++) {
            int bits = switch (type) {
                case U8, I8, U16, I16, U32, I32 -> values[i];
                case F32 -> w.bits(types.u32(), values[i]);
                case BF16 -> conversions.brainBits(values[i]);
                case F16 -> conversions.halfBits(values[i]);
            };
            put(place, i, bits);
        }
    }

    /** Stores words of 32 bits over as many elements as they cover. */
    void storeWords(Place.Shared place, int[] words) {
        int size = place.type().bytes();
        int perWord = Integer.BYTES / size;
        for (int i = 0; i < words.length * perWord; i++) {
            int shift = i % perWord * 8 * size;
            int word = words[i / perWord];
            put(place, i, shift == 0 ? word : w.op(Op.SHIFT_RIGHT_LOGICAL, types.u32(), word, types.u32(shift)));
        }
    }

    private void put(Place.Shared place, int offset, int bits) {
        int element = element(place.type());
        int narrow = element == types.u32() ? bits : w.op(Op.U_CONVERT, element, bits);
        w.effect(Op.STORE, pointer(place, offset), narrow, Spirv.ACCESS_NON_PRIVATE);
    }

    /** A pointer to the element {@code offset} after the place. */
    int pointer(Place.Shared place, int offset) {
        int index = w.get(place.index());
        int at = offset == 0 ? index : w.op(Op.I_ADD, types.u32(), index, types.u32(offset));
        return w.op(Op.ACCESS_CHAIN, types.pointer(Spirv.STORAGE_WORKGROUP, element(place.type())), variables.get(place.array()), at);
    }

    private int element(MemoryType type) {
        return switch (type.bytes()) {
            case 1 -> {
                w.module().capability(Spirv.CAPABILITY_INT8);
                yield types.u8();
            }
            case 2 -> {
                w.module().capability(Spirv.CAPABILITY_INT16);
                yield types.u16();
            }
            default -> types.u32();
        };
    }
}
