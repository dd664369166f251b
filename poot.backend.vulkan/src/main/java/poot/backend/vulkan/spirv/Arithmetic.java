package poot.backend.vulkan.spirv;

import poot.core.kernel.ir.BinaryOp;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.InvalidKernelException;
import poot.core.kernel.ir.RegisterType;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.UnaryOp;

/** Numbers in registers: operations, comparisons, selection, the packed dot product. */
final class Arithmetic {
    private final Writer w;
    private final Types types;
    private final SpirvTarget target;

    Arithmetic(Writer w, SpirvTarget target) {
        this.w = w;
        this.types = w.types();
        this.target = target;
    }

    int unary(Instruction.Unary i) {
        int a = w.get(i.a());
        int type = w.type(i.a());
        RegisterType of = i.a().type();
        return switch (i.op()) {
            case NEG -> w.op(of == ScalarType.F32 ? Op.F_NEGATE : Op.S_NEGATE, type, a);
            case ABS -> w.glsl(of == ScalarType.F32 ? Spirv.GLSL_F_ABS : Spirv.GLSL_S_ABS, type, a);
            case NOT -> w.op(of == ScalarType.BOOL ? Op.LOGICAL_NOT : Op.NOT, type, a);
            case RECIPROCAL -> w.op(Op.F_DIV, type, types.f32(1), a);
            case FLOOR, ROUND_EVEN, SQRT, RSQRT, EXP2, LOG2 -> w.glsl(function(i.op()), type, a);
        };
    }

    private static int function(UnaryOp op) {
        return switch (op) {
            case FLOOR -> Spirv.GLSL_FLOOR;
            case ROUND_EVEN -> Spirv.GLSL_ROUND_EVEN;
            case SQRT -> Spirv.GLSL_SQRT;
            case RSQRT -> Spirv.GLSL_INVERSE_SQRT;
            case EXP2 -> Spirv.GLSL_EXP2;
            case LOG2 -> Spirv.GLSL_LOG2;
            case NEG, ABS, NOT, RECIPROCAL -> throw new InvalidKernelException(op + " as a function", "it is an instruction");
        };
    }

    int binary(Instruction.Binary i) {
        int a = w.get(i.a());
        int b = w.get(i.b());
        int type = w.type(i.a());
        return switch ((ScalarType) i.a().type()) {
            case BOOL -> w.op(logical(i.op()), type, a, b);
            case F32 -> real(i.op(), type, a, b);
            case I32 -> integer(i.op(), true, type, a, b);
            case U32 -> integer(i.op(), false, type, a, b);
            case BUFFER -> throw wrong(i.op(), ScalarType.BUFFER);
        };
    }

    private static int logical(BinaryOp op) {
        return switch (op) {
            case AND -> Op.LOGICAL_AND;
            case OR -> Op.LOGICAL_OR;
            case XOR -> Op.LOGICAL_NOT_EQUAL;
            case ADD, SUB, MUL, DIV, REM, MIN, MAX, SHL, SHR, MUL_HIGH -> throw wrong(op, ScalarType.BOOL);
        };
    }

    private int real(BinaryOp op, int type, int a, int b) {
        return switch (op) {
            case ADD -> w.exact(w.op(Op.F_ADD, type, a, b));
            case SUB -> w.exact(w.op(Op.F_SUB, type, a, b));
            case MUL -> w.exact(w.op(Op.F_MUL, type, a, b));
            case DIV -> w.exact(w.op(Op.F_DIV, type, a, b));
            case MIN -> w.glsl(Spirv.GLSL_N_MIN, type, a, b);
            case MAX -> w.glsl(Spirv.GLSL_N_MAX, type, a, b);
            case REM, AND, OR, XOR, SHL, SHR, MUL_HIGH -> throw wrong(op, ScalarType.F32);
        };
    }

    private int integer(BinaryOp op, boolean signed, int type, int a, int b) {
        return switch (op) {
            case ADD -> w.op(Op.I_ADD, type, a, b);
            case SUB -> w.op(Op.I_SUB, type, a, b);
            case MUL -> w.op(Op.I_MUL, type, a, b);
            case DIV -> w.op(signed ? Op.S_DIV : Op.U_DIV, type, a, b);
            case REM -> signed ? signedRemainder(type, a, b) : w.op(Op.U_MOD, type, a, b);
            case MIN -> w.glsl(signed ? Spirv.GLSL_S_MIN : Spirv.GLSL_U_MIN, type, a, b);
            case MAX -> w.glsl(signed ? Spirv.GLSL_S_MAX : Spirv.GLSL_U_MAX, type, a, b);
            case AND -> w.op(Op.BITWISE_AND, type, a, b);
            case OR -> w.op(Op.BITWISE_OR, type, a, b);
            case XOR -> w.op(Op.BITWISE_XOR, type, a, b);
            case SHL -> w.op(Op.SHIFT_LEFT_LOGICAL, type, a, b);
            case SHR -> w.op(signed ? Op.SHIFT_RIGHT_ARITHMETIC : Op.SHIFT_RIGHT_LOGICAL, type, a, b);
            case MUL_HIGH -> w.extract(type, w.op(signed ? Op.S_MUL_EXTENDED : Op.U_MUL_EXTENDED, types.pair(), a, b), 1);
        };
    }

    /** {@code a - a / b * b}: Vulkan leaves OpSRem of negative operands undefined, not so OpSDiv. */
    private int signedRemainder(int type, int a, int b) {
        return w.op(Op.I_SUB, type, a, w.op(Op.I_MUL, type, w.op(Op.S_DIV, type, a, b), b));
    }

    /**
     * {@code a * b + c}. Vulkan lets a device round the product too. Where one does, 64-bit numbers hold the product of
     * two of 32 bits exactly, and the sum far closer than F32 needs.
     */
    int fma(Instruction.Fma i) {
        int a = w.get(i.a());
        int b = w.get(i.b());
        int c = w.get(i.c());
        if (!target.fmaInDouble()) {
            return w.exact(w.glsl(Spirv.GLSL_FMA, types.f32(), a, b, c));
        }
        int f64 = types.f64();
        int product = w.exact(w.op(Op.F_MUL, f64, w.op(Op.F_CONVERT, f64, a), w.op(Op.F_CONVERT, f64, b)));
        return w.op(Op.F_CONVERT, types.f32(), w.exact(w.op(Op.F_ADD, f64, product, w.op(Op.F_CONVERT, f64, c))));
    }

    int compare(Instruction.Compare i) {
        int op = switch ((ScalarType) i.a().type()) {
            case BOOL -> i.op() == Comparison.EQ ? Op.LOGICAL_EQUAL : Op.LOGICAL_NOT_EQUAL;
            case F32 -> switch (i.op()) {
                case EQ -> Op.F_ORD_EQUAL;
                case NE -> Op.F_UNORD_NOT_EQUAL;
                case LT -> Op.F_ORD_LESS_THAN;
                case LE -> Op.F_ORD_LESS_THAN_EQUAL;
                case GT -> Op.F_ORD_GREATER_THAN;
                case GE -> Op.F_ORD_GREATER_THAN_EQUAL;
            };
            case I32 -> switch (i.op()) {
                case EQ -> Op.I_EQUAL;
                case NE -> Op.I_NOT_EQUAL;
                case LT -> Op.S_LESS_THAN;
                case LE -> Op.S_LESS_THAN_EQUAL;
                case GT -> Op.S_GREATER_THAN;
                case GE -> Op.S_GREATER_THAN_EQUAL;
            };
            case U32 -> switch (i.op()) {
                case EQ -> Op.I_EQUAL;
                case NE -> Op.I_NOT_EQUAL;
                case LT -> Op.U_LESS_THAN;
                case LE -> Op.U_LESS_THAN_EQUAL;
                case GT -> Op.U_GREATER_THAN;
                case GE -> Op.U_GREATER_THAN_EQUAL;
            };
            case BUFFER -> throw new InvalidKernelException("a comparison of addresses", "compare indices");
        };
        return w.op(op, types.bool(), w.get(i.a()), w.get(i.b()));
    }

    int select(Instruction.Select i) {
        return w.select(w.type(i.result()), w.get(i.condition()), w.get(i.then()), w.get(i.otherwise()));
    }

    /** The sum of four products of signed bytes, one instruction or spelled out. */
    int dot4(Instruction.Dot4 i) {
        int u32 = types.u32();
        int a = w.get(i.a());
        int b = w.get(i.b());
        int sum = w.get(i.accumulator());
        if (target.integerDot()) {
            w.module().capability(Spirv.CAPABILITY_DOT_PRODUCT);
            w.module().capability(Spirv.CAPABILITY_DOT_PRODUCT_INPUT_4X8_PACKED);
            return w.op(Op.I_ADD, u32, w.op(Op.S_DOT, u32, a, b, Spirv.PACKED_4X8), sum);
        }
        for (int n = 0; n < 4; n++) {
            int x = w.op(Op.BIT_FIELD_S_EXTRACT, u32, a, types.u32(8 * n), types.u32(8));
            int y = w.op(Op.BIT_FIELD_S_EXTRACT, u32, b, types.u32(8 * n), types.u32(8));
            sum = w.op(Op.I_ADD, u32, sum, w.op(Op.I_MUL, u32, x, y));
        }
        return sum;
    }

    private static InvalidKernelException wrong(BinaryOp op, ScalarType type) {
        return new InvalidKernelException(op + " of " + type, "validate the kernel first");
    }
}
