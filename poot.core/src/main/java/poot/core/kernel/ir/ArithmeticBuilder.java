package poot.core.kernel.ir;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The arithmetic half of a {@link KernelBuilder}. Each method adds an instruction and returns its register; operands
 * must have the types the instruction takes, else {@link InvalidKernelException}. Literals are folded. An {@code int}
 * operand becomes a literal of the other operand's type, a {@code float} one a literal of F32.
 */
public abstract sealed class ArithmeticBuilder permits MemoryBuilder {
    private final Map<Reg, Integer> literals = new HashMap<>();
    private final Map<Instruction, Reg> hoisted = new HashMap<>();

    ArithmeticBuilder() {}

    /** A new register. */
    abstract Reg fresh(RegisterType type);

    /** Adds an instruction to the block being written. */
    abstract void emit(Instruction i);

    /** Adds an instruction to the head of the kernel, which everything may read. */
    abstract void hoist(Instruction i);

    // Literals

    /** A literal of U32. */
    public Reg u32(int value) {
        return literal(ScalarType.U32, value);
    }

    /** A literal of I32. */
    public Reg i32(int value) {
        return literal(ScalarType.I32, value);
    }

    /** A literal of F32. */
    public Reg f32(float value) {
        return literal(ScalarType.F32, Float.floatToRawIntBits(value));
    }

    /** A literal of BOOL. */
    public Reg bool(boolean value) {
        return literal(ScalarType.BOOL, value ? 1 : 0);
    }

    /** The literal {@code value} as the given number type. */
    public Reg number(RegisterType type, int value) {
        return type == ScalarType.F32 ? f32(value) : literal(type, value);
    }

    /** The bits of a literal, empty of anything else. */
    public OptionalInt literal(Reg a) {
        Integer bits = literals.get(a);
        return bits == null ? OptionalInt.empty() : OptionalInt.of(bits);
    }

    private Reg literal(RegisterType type, int bits) {
        Reg out = once(new Instruction.Constant(new Reg(-1, type), bits));
        literals.put(out, bits);
        return out;
    }

    /** A builtin, read once at the head of the kernel. */
    final Reg builtin(Builtin b) {
        return once(new Instruction.ReadBuiltin(new Reg(-1, ScalarType.U32), b));
    }

    private Reg once(Instruction.Valued key) {
        return hoisted.computeIfAbsent(key, k -> {
            Reg out = fresh(key.result().type());
            hoist(switch (key) {
                case Instruction.Constant c -> new Instruction.Constant(out, c.bits());
                case Instruction.ReadBuiltin r -> new Instruction.ReadBuiltin(out, r.builtin());
                default -> throw new InvalidKernelException("hoisting " + key, "only literals and builtins are");
            });
            return out;
        });
    }

    // Two operands of one type

    /** {@code a + b}. */
    public Reg add(Reg a, Reg b) {
        return binary(BinaryOp.ADD, a, b);
    }

    /** {@code a + b}. */
    public Reg add(Reg a, int b) {
        return add(a, number(a.type(), b));
    }

    /** {@code a - b}. */
    public Reg sub(Reg a, Reg b) {
        return binary(BinaryOp.SUB, a, b);
    }

    /** {@code a - b}. */
    public Reg sub(Reg a, int b) {
        return sub(a, number(a.type(), b));
    }

    /** {@code a * b}. */
    public Reg mul(Reg a, Reg b) {
        return binary(BinaryOp.MUL, a, b);
    }

    /** {@code a * b}. */
    public Reg mul(Reg a, int b) {
        return mul(a, number(a.type(), b));
    }

    /** {@code a * b} of F32. */
    public Reg mul(Reg a, float b) {
        return mul(a, f32(b));
    }

    /** {@code a * b + c} of integers, wrapping. */
    public Reg mad(Reg a, Reg b, Reg c) {
        return add(mul(a, b), c);
    }

    /** {@code a * b + c} of integers, wrapping. */
    public Reg mad(Reg a, int b, Reg c) {
        return add(mul(a, b), c);
    }

    /** {@code a / b}. */
    public Reg div(Reg a, Reg b) {
        return binary(BinaryOp.DIV, a, b);
    }

    /** {@code a / b}. */
    public Reg div(Reg a, int b) {
        return div(a, number(a.type(), b));
    }

    /** {@code a % b} of integers. */
    public Reg rem(Reg a, Reg b) {
        return binary(BinaryOp.REM, a, b);
    }

    /** {@code a % b} of integers. */
    public Reg rem(Reg a, int b) {
        return rem(a, number(a.type(), b));
    }

    /** The lesser. */
    public Reg min(Reg a, Reg b) {
        return binary(BinaryOp.MIN, a, b);
    }

    /** The greater. */
    public Reg max(Reg a, Reg b) {
        return binary(BinaryOp.MAX, a, b);
    }

    /** {@code a & b}. */
    public Reg and(Reg a, Reg b) {
        return binary(BinaryOp.AND, a, b);
    }

    /** {@code a & b}. */
    public Reg and(Reg a, int b) {
        return and(a, number(a.type(), b));
    }

    /** {@code a | b}. */
    public Reg or(Reg a, Reg b) {
        return binary(BinaryOp.OR, a, b);
    }

    /** {@code a ^ b}. */
    public Reg xor(Reg a, Reg b) {
        return binary(BinaryOp.XOR, a, b);
    }

    /** {@code a ^ b}. */
    public Reg xor(Reg a, int b) {
        return xor(a, number(a.type(), b));
    }

    /** {@code a << count}. */
    public Reg shl(Reg a, Reg count) {
        return binary(BinaryOp.SHL, a, count);
    }

    /** {@code a << count}. */
    public Reg shl(Reg a, int count) {
        return shl(a, number(a.type(), count));
    }

    /** {@code a >> count}, of I32 with its sign. */
    public Reg shr(Reg a, Reg count) {
        return binary(BinaryOp.SHR, a, count);
    }

    /** {@code a >> count}, of I32 with its sign. */
    public Reg shr(Reg a, int count) {
        return shr(a, number(a.type(), count));
    }

    /** The upper half of the 64-bit product. */
    public Reg mulHigh(Reg a, Reg b) {
        return binary(BinaryOp.MUL_HIGH, a, b);
    }

    /** {@code a op b}. */
    public Reg binary(BinaryOp op, Reg a, Reg b) {
        Types.require(op.takes(a.type()) && a.type() == b.type(), op, a, b);
        OptionalInt x = literal(a);
        OptionalInt y = literal(b);
        if (x.isPresent() && y.isPresent()) {
            OptionalInt folded = Folding.binary(op, a.type(), x.getAsInt(), y.getAsInt());
            if (folded.isPresent()) {
                return literal(a.type(), folded.getAsInt());
            }
        }
        if (y.isPresent() && Folding.keeps(op, a.type(), y.getAsInt())) {
            return a;
        }
        if (x.isPresent() && Folding.keepsRight(op, a.type(), x.getAsInt())) {
            return b;
        }
        if (y.isPresent() && Folding.vanishes(op, a.type(), y.getAsInt())) {
            return literal(a.type(), 0);
        }
        return add(new Instruction.Binary(fresh(a.type()), op, a, b));
    }

    // Comparisons

    /** {@code a == b}. */
    public Reg eq(Reg a, Reg b) {
        return compare(Comparison.EQ, a, b);
    }

    /** {@code a == b}. */
    public Reg eq(Reg a, int b) {
        return eq(a, number(a.type(), b));
    }

    /** {@code a != b}. */
    public Reg ne(Reg a, Reg b) {
        return compare(Comparison.NE, a, b);
    }

    /** {@code a != b}. */
    public Reg ne(Reg a, int b) {
        return ne(a, number(a.type(), b));
    }

    /** {@code a < b}. */
    public Reg lt(Reg a, Reg b) {
        return compare(Comparison.LT, a, b);
    }

    /** {@code a < b}. */
    public Reg lt(Reg a, int b) {
        return lt(a, number(a.type(), b));
    }

    /** {@code a <= b}. */
    public Reg le(Reg a, Reg b) {
        return compare(Comparison.LE, a, b);
    }

    /** {@code a > b}. */
    public Reg gt(Reg a, Reg b) {
        return compare(Comparison.GT, a, b);
    }

    /** {@code a >= b}. */
    public Reg ge(Reg a, Reg b) {
        return compare(Comparison.GE, a, b);
    }

    /** {@code a op b}. */
    public Reg compare(Comparison op, Reg a, Reg b) {
        boolean equality = op == Comparison.EQ || op == Comparison.NE;
        Types.require(a.type() == b.type() && (Types.isNumber(a) || equality && a.type() == ScalarType.BOOL), op, a, b);
        OptionalInt x = literal(a);
        OptionalInt y = literal(b);
        if (x.isPresent() && y.isPresent()) {
            return bool(Folding.compare(op, a.type(), x.getAsInt(), y.getAsInt()));
        }
        return add(new Instruction.Compare(fresh(ScalarType.BOOL), op, a, b));
    }

    /** {@code condition ? then : otherwise}, both evaluated. */
    public Reg select(Reg condition, Reg then, Reg otherwise) {
        Types.require(condition.type() == ScalarType.BOOL && then.type() == otherwise.type() && then.type() instanceof ScalarType,
                "select", condition, then, otherwise);
        OptionalInt known = literal(condition);
        if (known.isPresent()) {
            return known.getAsInt() != 0 ? then : otherwise;
        }
        return then.equals(otherwise) ? then : add(new Instruction.Select(fresh(then.type()), condition, then, otherwise));
    }

    // One operand

    /** {@code -a}. */
    public Reg neg(Reg a) {
        return unary(UnaryOp.NEG, a);
    }

    /** {@code |a|}. */
    public Reg abs(Reg a) {
        return unary(UnaryOp.ABS, a);
    }

    /** {@code !a}, of integers each bit. */
    public Reg not(Reg a) {
        return unary(UnaryOp.NOT, a);
    }

    /** The largest integer that is not larger. */
    public Reg floor(Reg a) {
        return unary(UnaryOp.FLOOR, a);
    }

    /** The nearest integer, ties to even. */
    public Reg roundEven(Reg a) {
        return unary(UnaryOp.ROUND_EVEN, a);
    }

    /** The square root. */
    public Reg sqrt(Reg a) {
        return unary(UnaryOp.SQRT, a);
    }

    /** {@code 1 / sqrt(a)}. */
    public Reg rsqrt(Reg a) {
        return unary(UnaryOp.RSQRT, a);
    }

    /** {@code 1 / a}. */
    public Reg reciprocal(Reg a) {
        return unary(UnaryOp.RECIPROCAL, a);
    }

    /** 2 to the a. */
    public Reg exp2(Reg a) {
        return unary(UnaryOp.EXP2, a);
    }

    /** The logarithm to base 2. */
    public Reg log2(Reg a) {
        return unary(UnaryOp.LOG2, a);
    }

    /** {@code op a}. */
    public Reg unary(UnaryOp op, Reg a) {
        Types.require(op.takes(a.type()), op, a);
        return add(new Instruction.Unary(fresh(a.type()), op, a));
    }

    /** {@code a * b + c} of F32, rounded once. */
    public Reg fma(Reg a, Reg b, Reg c) {
        Types.require(a.type() == ScalarType.F32 && b.type() == ScalarType.F32 && c.type() == ScalarType.F32, "fma", a, b, c);
        return add(new Instruction.Fma(fresh(ScalarType.F32), a, b, c));
    }

    final Reg add(Instruction.Valued i) {
        emit(i);
        return i.result();
    }
}
