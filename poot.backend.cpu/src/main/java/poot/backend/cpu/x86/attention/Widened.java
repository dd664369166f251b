package poot.backend.cpu.x86.attention;

import static poot.backend.cpu.x86.Instruction.VCVTPH2PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;
import static poot.backend.cpu.x86.Instruction.VPMOVZXWD;
import static poot.backend.cpu.x86.Instruction.VPSLLD;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * Rows of 16-bit floats to F32 [n, width], exactly. Arguments: first row, bytes from a row to the next, out, n.
 *
 * @param width features, a multiple of a vector's lanes
 * @param brain whether they are BF16; else F16
 */
public record Widened(Simd simd, int width, boolean brain) {
    private static final Register ROW = Register.RDI;
    private static final Register STRIDE = Register.RSI;
    private static final Register OUT = Register.RDX;
    private static final Register COUNT = Register.RCX;

    /** The code. */
    public byte[] code() {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        Label next = to.here();
        for (int i = 0; i < width / simd.lanes(); i++) {
            At from = At.of(ROW, i * simd.width() / 2);
            if (brain) {
                to.op(VPMOVZXWD, simd.width(), i % 8, Assembler.NONE, from);
                to.shift(VPSLLD, simd.width(), 6, i % 8, i % 8, 16);
            } else {
                to.op(VCVTPH2PS, simd.width(), i % 8, Assembler.NONE, from);
            }
            to.op(VMOVUPS_STORE, simd.width(), i % 8, Assembler.NONE, At.of(OUT, i * simd.width()));
        }
        to.add(ROW, STRIDE);
        to.add(OUT, 4 * width);
        to.dec(COUNT);
        to.jnz(next);
        to.vzeroupper();
        to.ret();
        return code.finish();
    }
}
