package poot.backend.cuda.ptx;

import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/** A kernel's body while it is written: lines, labels and operands. */
final class PtxText {
    private final StringBuilder out = new StringBuilder();
    private final PtxRegisters registers = new PtxRegisters();
    private int labels;

    PtxRegisters registers() {
        return registers;
    }

    /** Writes one instruction: {@code op a, b, c;}. */
    void line(String op, String... operands) {
        out.append('\t').append(op);
        for (int i = 0; i < operands.length; i++) {
            out.append(i == 0 ? " " : ", ").append(operands[i]);
        }
        out.append(";\n");
    }

    /** Writes one instruction that runs where {@code predicate} holds; {@code !%p} where it does not. */
    void guarded(String predicate, String op, String... operands) {
        out.append("\t@").append(predicate);
        line(op, operands);
    }

    /** A label nothing else uses. */
    String label() {
        return "$L" + labels++;
    }

    /** Puts a label here. */
    void place(String label) {
        out.append(label).append(":\n");
    }

    /** A scalar as an operand: a register, or a literal as it is written. */
    String operand(Reg r) {
        Integer bits = registers.literal(r);
        return bits == null ? registers.all(r).getFirst() : immediate(r, bits);
    }

    /** A scalar in a register: literals are moved into one. */
    String register(Reg r) {
        Integer bits = registers.literal(r);
        if (bits == null) {
            return registers.all(r).getFirst();
        }
        PtxRegisters.Kind kind = PtxRegisters.kind(r);
        String name = registers.fresh(kind);
        if (kind == PtxRegisters.Kind.PREDICATE) {
            line("setp.ne.u32", name, immediate(r, bits), "0");
        } else {
            line("mov" + kind.moved(), name, immediate(r, bits));
        }
        return name;
    }

    /** What was written. */
    String body() {
        return out.toString();
    }

    private static String immediate(Reg r, int bits) {
        return r.type() == ScalarType.F32 ? "0f%08X".formatted(bits)
                : r.type() == ScalarType.U32 ? Integer.toUnsignedString(bits) : Integer.toString(bits);
    }
}
