package poot.backend.vulkan.spirv;

import poot.core.kernel.ir.Instruction;

/** Between register types, and between F32 and the 16-bit floating types. */
final class Conversions {
    private static final int SIGN = 0x8000;
    /** The bits of 65520, the least that rounds to infinity in binary16, and of 2^-14, its least normal number. */
    private static final int HALF_OVERFLOW = 0x477ff000;
    private static final int HALF_NORMAL = 0x38800000;
    private static final int INFINITY = 0x7f800000;

    private final Writer w;
    private final Types types;
    private final boolean halfConversions;

    Conversions(Writer w, boolean halfConversions) {
        this.w = w;
        this.types = w.types();
        this.halfConversions = halfConversions;
    }

    int convert(Instruction.Convert i) {
        int a = w.get(i.a());
        return switch (i.op()) {
            case I32_TO_F32 -> w.op(Op.CONVERT_S_TO_F, types.f32(), a);
            case U32_TO_F32 -> w.op(Op.CONVERT_U_TO_F, types.f32(), a);
            case F32_TO_I32 -> signed(a);
            case F32_TO_U32 -> unsigned(a);
            case I32_TO_U32, U32_TO_I32 -> a;
            case BOOL_TO_U32 -> w.select(types.u32(), a, types.u32(1), types.u32(0));
            case F32_TO_BITS -> w.bits(types.u32(), a);
            case BITS_TO_F32 -> w.bits(types.f32(), a);
            case F32_TO_F16_BITS -> halfBits(a);
            case F16_BITS_TO_F32 -> fromHalfBits(a);
            case F32_TO_BF16_BITS -> brainBits(a);
            case BF16_BITS_TO_F32 -> fromBrainBits(a);
        };
    }

    /** Whether memory may be read and written as 16-bit floating numbers. */
    boolean halfInMemory() {
        return halfConversions;
    }

    /** Only what fits is converted: anything else is undefined in SPIR-V. */
    private int signed(int a) {
        int bool = types.bool();
        int u32 = types.u32();
        int over = w.op(Op.F_ORD_GREATER_THAN_EQUAL, bool, a, types.f32(0x1p31f));
        int under = w.op(Op.F_ORD_LESS_THAN, bool, a, types.f32(-0x1p31f));
        int fits = w.op(Op.LOGICAL_AND, bool, w.op(Op.F_ORD_LESS_THAN, bool, a, types.f32(0x1p31f)),
                w.op(Op.F_ORD_GREATER_THAN_EQUAL, bool, a, types.f32(-0x1p31f)));
        int safe = w.select(types.f32(), fits, a, types.f32(0));
        int rest = w.select(u32, under, types.u32(Integer.MIN_VALUE), w.op(Op.CONVERT_F_TO_S, u32, safe));
        return w.select(u32, over, types.u32(Integer.MAX_VALUE), rest);
    }

    private int unsigned(int a) {
        int bool = types.bool();
        int u32 = types.u32();
        int over = w.op(Op.F_ORD_GREATER_THAN_EQUAL, bool, a, types.f32(0x1p32f));
        int fits = w.op(Op.LOGICAL_AND, bool, w.op(Op.F_ORD_LESS_THAN, bool, a, types.f32(0x1p32f)),
                w.op(Op.F_ORD_GREATER_THAN_EQUAL, bool, a, types.f32(0)));
        int safe = w.select(types.f32(), fits, a, types.f32(0));
        return w.select(u32, over, types.u32(-1), w.op(Op.CONVERT_F_TO_U, u32, safe));
    }

    /** The bits of the nearest binary16. */
    int halfBits(int a) {
        int u32 = types.u32();
        int bits = w.bits(u32, a);
        int sign = w.op(Op.BITWISE_AND, u32, w.op(Op.SHIFT_RIGHT_LOGICAL, u32, bits, types.u32(16)), types.u32(SIGN));
        int magnitude = w.op(Op.BITWISE_AND, u32, bits, types.u32(0x7fffffff));
        // Normal: the exponent's bias becomes 15, and half a unit less the parity of what stays rounds to the nearest even.
        int odd = w.op(Op.BITWISE_AND, u32, w.op(Op.SHIFT_RIGHT_LOGICAL, u32, magnitude, types.u32(13)), types.u32(1));
        int biased = w.op(Op.I_ADD, u32, w.op(Op.I_ADD, u32, magnitude, types.u32((15 - 127 << 23) + 0xfff)), odd);
        int normal = w.op(Op.SHIFT_RIGHT_LOGICAL, u32, biased, types.u32(13));
        // Subnormal: added to 0.5, whose last place is 2^-24, the number is rounded to units of it by the addition itself.
        int sum = w.exact(w.op(Op.F_ADD, types.f32(), w.bits(types.f32(), magnitude), types.f32(0.5f)));
        int small = w.op(Op.I_SUB, u32, w.bits(u32, sum), types.u32(0x3f000000));
        int finite = w.select(u32, less(magnitude, HALF_NORMAL), small, normal);
        int special = w.select(u32, w.op(Op.U_GREATER_THAN, types.bool(), magnitude, types.u32(INFINITY)),
                types.u32(0x7e00), types.u32(0x7c00));
        return w.op(Op.BITWISE_OR, u32, sign, w.select(u32, less(magnitude, HALF_OVERFLOW), finite, special));
    }

    /** The binary16 in the low half. */
    int fromHalfBits(int a) {
        int u32 = types.u32();
        int f32 = types.f32();
        int sign = w.op(Op.SHIFT_LEFT_LOGICAL, u32, w.op(Op.BITWISE_AND, u32, a, types.u32(SIGN)), types.u32(16));
        int magnitude = w.op(Op.BITWISE_AND, u32, a, types.u32(0x7fff));
        int shifted = w.op(Op.SHIFT_LEFT_LOGICAL, u32, magnitude, types.u32(13));
        int normal = w.op(Op.I_ADD, u32, shifted, types.u32(127 - 15 << 23));
        int special = w.op(Op.BITWISE_OR, u32, shifted, types.u32(INFINITY));
        int small = w.bits(u32, w.exact(w.op(Op.F_MUL, f32, w.op(Op.CONVERT_U_TO_F, f32, magnitude), types.f32(0x1p-24f))));
        int finite = w.select(u32, less(magnitude, 0x400), small, normal);
        return w.bits(f32, w.op(Op.BITWISE_OR, u32, sign, w.select(u32, less(magnitude, 0x7c00), finite, special)));
    }

    /** The bits of the nearest bfloat16: the upper half, and one more where the lower half says so; NaN stays one. */
    int brainBits(int a) {
        int u32 = types.u32();
        int bits = w.bits(u32, a);
        int upper = w.op(Op.SHIFT_RIGHT_LOGICAL, u32, bits, types.u32(16));
        int odd = w.op(Op.BITWISE_AND, u32, upper, types.u32(1));
        int rounded = w.op(Op.I_ADD, u32, w.op(Op.I_ADD, u32, bits, types.u32(0x7fff)), odd);
        int number = w.op(Op.SHIFT_RIGHT_LOGICAL, u32, rounded, types.u32(16));
        int magnitude = w.op(Op.BITWISE_AND, u32, bits, types.u32(0x7fffffff));
        int nan = w.op(Op.U_GREATER_THAN, types.bool(), magnitude, types.u32(INFINITY));
        return w.select(u32, nan, w.op(Op.BITWISE_OR, u32, upper, types.u32(0x40)), number);
    }

    /** The bfloat16 in the low half. */
    int fromBrainBits(int a) {
        return w.bits(types.f32(), w.op(Op.SHIFT_LEFT_LOGICAL, types.u32(), a, types.u32(16)));
    }

    private int less(int a, int bound) {
        return w.op(Op.U_LESS_THAN, types.bool(), a, types.u32(bound));
    }
}
