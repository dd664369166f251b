package poot.backend.cuda.ptx;

import java.util.Locale;
import poot.core.kernel.ir.BinaryOp;
import poot.core.kernel.ir.Comparison;
import poot.core.kernel.ir.Instruction;
import poot.core.kernel.ir.ScalarType;

/**
 * Arithmetic, comparison and selection. F32 sums and products are rounded each ({@code .rn} keeps the assembler from
 * contracting them); quotients and functions are the device's approximations, at most 2 ulp off.
 */
final class Arithmetic {
    private final PtxText out;

    Arithmetic(PtxText out) {
        this.out = out;
    }

    void unary(Instruction.Unary u) {
        String to = out.registers().define(u.result());
        String a = out.operand(u.a());
        boolean floats = u.a().type() == ScalarType.F32;
        switch (u.op()) {
            case NEG -> out.line(floats ? "neg.f32" : "neg.s32", to, a);
            case ABS -> out.line(floats ? "abs.f32" : "abs.s32", to, a);
            case NOT -> out.line(u.a().type() == ScalarType.BOOL ? "not.pred" : "not.b32", to, a);
            case FLOOR -> out.line("cvt.rmi.f32.f32", to, a);
            case ROUND_EVEN -> out.line("cvt.rni.f32.f32", to, a);
            case SQRT -> out.line("sqrt.approx.f32", to, a);
            case RSQRT -> out.line("rsqrt.approx.f32", to, a);
            case RECIPROCAL -> out.line("rcp.approx.f32", to, a);
            case EXP2 -> out.line("ex2.approx.f32", to, a);
            case LOG2 -> out.line("lg2.approx.f32", to, a);
        }
    }

    void binary(Instruction.Binary b) {
        String x = b.a().type() == ScalarType.BOOL ? out.register(b.a()) : out.operand(b.a());
        String y = b.b().type() == ScalarType.BOOL ? out.register(b.b()) : out.operand(b.b());
        out.line(name(b.op(), (ScalarType) b.a().type()), out.registers().define(b.result()), x, y);
    }

    private static String name(BinaryOp op, ScalarType type) {
        return switch (type) {
            case F32 -> switch (op) {
                case ADD -> "add.rn.f32";
                case SUB -> "sub.rn.f32";
                case MUL -> "mul.rn.f32";
                case DIV -> "div.full.f32";
                default -> op.name().toLowerCase(Locale.ROOT) + ".f32";
            };
            case BOOL -> bits(op) + ".pred";
            case I32, U32, BUFFER -> switch (op) {
                case AND, OR, XOR -> bits(op) + ".b32";
                case SHL -> "shl.b32";
                case MUL -> "mul.lo" + suffix(type);
                case MUL_HIGH -> "mul.hi" + suffix(type);
                default -> op.name().toLowerCase(Locale.ROOT) + suffix(type);
            };
        };
    }

    private static String bits(BinaryOp op) {
        return op.name().toLowerCase(Locale.ROOT);
    }

    /** The type as instructions spell it. */
    static String suffix(ScalarType type) {
        return switch (type) {
            case I32 -> ".s32";
            case U32 -> ".u32";
            case F32 -> ".f32";
            case BOOL -> ".pred";
            case BUFFER -> ".b64";
        };
    }

    void compare(Instruction.Compare c) {
        ScalarType type = (ScalarType) c.a().type();
        if (type == ScalarType.BOOL) {
            String x = out.register(c.a());
            String y = out.register(c.b());
            String to = out.registers().define(c.result());
            out.line("xor.pred", to, x, y);
            if (c.op() == Comparison.EQ) {
                out.line("not.pred", to, to);
            }
            return;
        }
        String x = out.operand(c.a());
        String y = out.operand(c.b());
        // Not equal holds of NaN, all else does not.
        String op = c.op() == Comparison.NE && type == ScalarType.F32 ? "neu" : c.op().name().toLowerCase(Locale.ROOT);
        out.line("setp." + op + suffix(type), out.registers().define(c.result()), x, y);
    }

    void select(Instruction.Select s) {
        String condition = out.register(s.condition());
        ScalarType type = (ScalarType) s.then().type();
        if (type == ScalarType.BOOL) {
            String x = out.register(s.then());
            String y = out.register(s.otherwise());
            String yes = out.registers().fresh(PtxRegisters.Kind.PREDICATE);
            String no = out.registers().fresh(PtxRegisters.Kind.PREDICATE);
            out.line("and.pred", yes, condition, x);
            out.line("not.pred", no, condition);
            out.line("and.pred", no, no, y);
            out.line("or.pred", out.registers().define(s.result()), yes, no);
            return;
        }
        String x = out.operand(s.then());
        String y = out.operand(s.otherwise());
        out.line("selp" + (type == ScalarType.F32 ? ".f32" : type == ScalarType.BUFFER ? ".b64" : ".b32"),
                out.registers().define(s.result()), x, y, condition);
    }

    void fma(Instruction.Fma f) {
        String a = out.operand(f.a());
        String b = out.operand(f.b());
        String c = out.operand(f.c());
        out.line("fma.rn.f32", out.registers().define(f.result()), a, b, c);
    }

    void dot4(Instruction.Dot4 d) {
        String a = out.operand(d.a());
        String b = out.operand(d.b());
        String c = out.operand(d.accumulator());
        out.line("dp4a.s32.s32", out.registers().define(d.result()), a, b, c);
    }

    /** {@code to = buffer + count * stride}, in 64 bits. */
    void advance(Instruction.Advance a) {
        String buffer = out.operand(a.buffer());
        long stride = a.strideBytes();
        Integer known = out.registers().literal(a.count());
        if (known != null) {
            // Addresses wrap in 64 bits, so that a product that does is the same sum.
            out.line("add.s64", out.registers().define(a.result()), buffer, Long.toString(Integer.toUnsignedLong(known) * stride));
            return;
        }
        String count = out.operand(a.count());
        String to = out.registers().define(a.result());
        if (stride >= 0 && stride <= 0xffffffffL) {
            out.line("mad.wide.u32", to, count, Long.toString(stride), buffer);
            return;
        }
        String wide = out.registers().fresh(PtxRegisters.Kind.ADDRESS);
        out.line("cvt.u64.u32", wide, count);
        out.line("mad.lo.s64", to, wide, Long.toString(stride), buffer);
    }
}
