package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VMASKMOVPS_STORE;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;

import java.util.List;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.RowPointers;

/** How the kernels of a product begin and end: the registers of their arguments, a scratch on the stack, sums that are stored. */
final class Frame {
    static final Register SIZES = Register.RDI;
    static final Register WEIGHTS = Register.RSI;
    static final Register X = Register.RDX;
    static final Register OUT = Register.RCX;
    static final Register COUNT = Register.R8;
    static final Register MASK = Register.R9;
    /** Where x is read. */
    static final Register AT = Register.R13;
    /** Steps to come; where outputs are stored. */
    static final Register LEFT = Register.R14;
    /** What is asked for ahead, or a panel. */
    static final Register AHEAD = Register.R15;

    private static final List<Register> SAVED =
            List.of(Register.RBX, Register.RBP, Register.R12, Register.R13, Register.R14, Register.R15);

    private Frame() {}

    private static int frame(int scratch, Simd.Code code) {
        return scratch == 0 ? 0 : (scratch + 2) * code.simd().width();
    }

    static void enter(Simd.Code code, int scratch) {
        Assembler to = code.to();
        SAVED.forEach(to::push);
        if (scratch > 0) {
            int bytes = frame(scratch, code);
            to.mov(Register.RAX, Register.RSP);
            to.sub(Register.RSP, bytes);
            to.and(Register.RSP, -code.simd().width());
            to.store(At.of(Register.RSP, scratch * code.simd().width()), Register.RAX);
        }
    }

    /** to = argument seven. */
    static void argument(Simd.Code code, Register to, int scratch) {
        Register stack = Register.RSP;
        if (scratch > 0) {
            code.to().mov(to, At.of(Register.RSP, scratch * code.simd().width()));
            stack = to;
        }
        code.to().mov(to, At.of(stack, 8 * (SAVED.size() + 1)));
    }

    static void exit(Simd.Code code, int scratch) {
        Assembler to = code.to();
        if (scratch > 0) {
            to.mov(Register.RSP, At.of(Register.RSP, scratch * code.simd().width()));
        }
        SAVED.reversed().forEach(to::pop);
        to.vzeroupper();
        to.ret();
    }

    /** Takes the bytes from a weight row to the next. */
    static void strides(Assembler to) {
        to.mov(RowPointers.STRIDE, At.of(SIZES, Emitted.ROW_BYTES));
        to.lea(RowPointers.STRIDES3, At.of(RowPointers.STRIDE, RowPointers.STRIDE, 2, 0));
    }

    /** Stores {@code tile} sums from register {@code first} at OUT; of the last of COUNT only the lanes of MASK. */
    static void leave(Simd.Code code, int tile, int first) {
        Assembler to = code.to();
        Label whole = to.label();
        Label done = to.label();
        to.mov(LEFT, OUT);
        to.cmp(COUNT, 1);
        to.jnz(whole);
        masked(code, tile, first, mask(code));
        to.jmp(done);
        to.bind(whole);
        for (int row = 0; row < tile; row++) {
            to.op(VMOVUPS_STORE, code.simd().width(), first + row, Assembler.NONE, At.of(LEFT, 0));
            to.add(LEFT, At.of(SIZES, Emitted.OUT_BYTES));
        }
        to.bind(done);
    }

    /** Takes the mask, into k1 or the register returned. */
    static int mask(Simd.Code code) {
        int register = code.simd().registers() - 1;
        if (code.simd().wide()) {
            code.to().kmovw(1, MASK);
        } else {
            code.to().op(VMOVUPS, 32, register, Assembler.NONE, At.of(MASK, 0));
        }
        return register;
    }

    static void masked(Simd.Code code, int tile, int first, int mask) {
        Assembler to = code.to();
        for (int row = 0; row < tile; row++) {
            if (code.simd().wide()) {
                to.masked(VMOVUPS_STORE, 64, first + row, At.of(LEFT, 0), 1);
            } else {
                to.op(VMASKMOVPS_STORE, 32, first + row, mask, At.of(LEFT, 0));
            }
            to.add(LEFT, At.of(SIZES, Emitted.OUT_BYTES));
        }
    }
}
