package poot.backend.vulkan.spirv;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.core.kernel.ir.Fragment;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.RegisterType;
import poot.core.kernel.ir.ScalarType;

/**
 * Types and constants of a module, each declared once. I32 and U32 are one type, since SPIR-V's instructions carry the
 * sign; an address is an integer of 64 bits.
 */
final class Types {
    private final SpirvModule module;
    private final Map<List<Integer>, Integer> declared = new HashMap<>();

    Types(SpirvModule module) {
        this.module = module;
    }

    int nothing() {
        return type(Op.TYPE_VOID);
    }

    int bool() {
        return type(Op.TYPE_BOOL);
    }

    int u32() {
        return type(Op.TYPE_INT, 32, 0);
    }

    int u64() {
        module.capability(Spirv.CAPABILITY_INT64);
        return type(Op.TYPE_INT, 64, 0);
    }

    int u16() {
        return type(Op.TYPE_INT, 16, 0);
    }

    int u8() {
        return type(Op.TYPE_INT, 8, 0);
    }

    int f32() {
        return type(Op.TYPE_FLOAT, 32);
    }

    int f16() {
        return type(Op.TYPE_FLOAT, 16);
    }

    int f64() {
        module.capability(Spirv.CAPABILITY_FLOAT64);
        return type(Op.TYPE_FLOAT, 64);
    }

    /** {@code lanes} of a scalar type; of one lane the scalar itself. */
    int vector(int element, int lanes) {
        return lanes == 1 ? element : type(Op.TYPE_VECTOR, element, lanes);
    }

    int pointer(int storage, int type) {
        return type(Op.TYPE_POINTER, storage, type);
    }

    int array(int element, int length) {
        return type(Op.TYPE_ARRAY, element, u32(length));
    }

    /** Two u32: the halves of a product. */
    int pair() {
        return type(Op.TYPE_STRUCT, u32(), u32());
    }

    int function() {
        return type(Op.TYPE_FUNCTION, nothing());
    }

    /** A struct of its own whose members lie at {@code offsets}. */
    int block(int[] members, List<Integer> offsets) {
        int id = module.id();
        int[] operands = new int[members.length + 1];
        operands[0] = id;
        System.arraycopy(members, 0, operands, 1, members.length);
        module.globals().op(Op.TYPE_STRUCT, operands);
        module.decorate(id, Spirv.DECORATION_BLOCK);
        for (int i = 0; i < members.length; i++) {
            module.decorations().op(Op.MEMBER_DECORATE, id, i, Spirv.DECORATION_OFFSET, offsets.get(i));
        }
        return id;
    }

    /** A struct of one array without end, its elements {@code bytes} apart. */
    int run(int element, int bytes) {
        List<Integer> key = List.of(Op.TYPE_RUNTIME_ARRAY, element, bytes);
        Integer known = declared.get(key);
        if (known != null) {
            return known;
        }
        int array = module.id();
        module.globals().op(Op.TYPE_RUNTIME_ARRAY, array, element);
        module.decorate(array, Spirv.DECORATION_ARRAY_STRIDE, bytes);
        int struct = block(new int[] {array}, List.of(0));
        declared.put(key, struct);
        return struct;
    }

    /** What holds a register. */
    int register(RegisterType type) {
        return switch (type) {
            case ScalarType s -> switch (s) {
                case BOOL -> bool();
                case I32, U32 -> u32();
                case F32 -> f32();
                case BUFFER -> u64();
            };
            case Fragment f -> fragment(f);
        };
    }

    private int fragment(Fragment f) {
        module.capability(Spirv.CAPABILITY_COOPERATIVE_MATRIX);
        module.extension("SPV_KHR_cooperative_matrix");
        int size = u32(Fragment.SIZE);
        return type(Op.TYPE_COOPERATIVE_MATRIX, component(f.element()), u32(Spirv.SCOPE_SUBGROUP), size, size, u32(switch (f.use()) {
            case A -> Spirv.MATRIX_A;
            case B -> Spirv.MATRIX_B;
            case ACCUMULATOR -> Spirv.MATRIX_ACCUMULATOR;
        }));
    }

    /** The components of a fragment: integers are signed, as the device's table of products names them. */
    int component(MemoryType element) {
        return switch (element) {
            case F32 -> f32();
            case I32, U32 -> type(Op.TYPE_INT, 32, 1);
            case F16 -> {
                module.capability(Spirv.CAPABILITY_FLOAT16);
                yield f16();
            }
            case BF16 -> {
                module.capability(Spirv.CAPABILITY_BFLOAT16_TYPE);
                module.capability(Spirv.CAPABILITY_BFLOAT16_COOPERATIVE_MATRIX);
                module.extension("SPV_KHR_bfloat16");
                yield type(Op.TYPE_FLOAT, 16, Spirv.ENCODING_BFLOAT16);
            }
            case U8, I8 -> {
                module.capability(Spirv.CAPABILITY_INT8);
                yield type(Op.TYPE_INT, 8, 1);
            }
            case U16, I16 -> type(Op.TYPE_INT, 16, 1);
        };
    }

    int u32(int value) {
        return constant(u32(), value);
    }

    int f32(float value) {
        return f32Bits(Float.floatToRawIntBits(value));
    }

    int f32Bits(int bits) {
        return constant(f32(), bits);
    }

    int u64(long value) {
        return constant(u64(), (int) value, (int) (value >>> 32));
    }

    int bool(boolean value) {
        int type = bool();
        return declare(List.of(value ? Op.CONSTANT_TRUE : Op.CONSTANT_FALSE, type), id ->
                module.globals().op(value ? Op.CONSTANT_TRUE : Op.CONSTANT_FALSE, type, id));
    }

    private int constant(int type, int... words) {
        Integer[] key = new Integer[words.length + 2];
        key[0] = Op.CONSTANT;
        key[1] = type;
        int[] operands = new int[words.length + 2];
        operands[0] = type;
        for (int i = 0; i < words.length; i++) {
            key[i + 2] = words[i];
            operands[i + 2] = words[i];
        }
        return declare(List.of(key), id -> {
            operands[1] = id;
            module.globals().op(Op.CONSTANT, operands);
        });
    }

    private int type(int op, int... operands) {
        Integer[] key = new Integer[operands.length + 1];
        key[0] = op;
        Arrays.setAll(key, i -> i == 0 ? op : operands[i - 1]);
        return declare(List.of(key), id -> {
            int[] all = new int[operands.length + 1];
            all[0] = id;
            System.arraycopy(operands, 0, all, 1, operands.length);
            module.globals().op(op, all);
        });
    }

    private int declare(List<Integer> key, Declaration declaration) {
        Integer known = declared.get(key);
        if (known != null) {
            return known;
        }
        int id = module.id();
        declaration.write(id);
        declared.put(key, id);
        return id;
    }

    /** Writes a declaration whose operands are declared already. */
    private interface Declaration {
        void write(int id);
    }
}
