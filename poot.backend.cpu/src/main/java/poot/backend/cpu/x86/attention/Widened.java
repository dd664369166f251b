package poot.backend.cpu.x86.attention;

import static poot.backend.cpu.x86.Instruction.VCVTPH2PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;
import static poot.backend.cpu.x86.Instruction.VPMOVZXWD;
import static poot.backend.cpu.x86.Instruction.VPSLLD;

import poot.api.graph.ElementType;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * Rows of F32, F16 or BF16 to F32 [n, width], exactly. Arguments: first row, bytes from a row to the next, out, n.
 *
 * @param width features, a multiple of a vector's lanes
 */
public record Widened(Simd simd, int width, ElementType element) {
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
            load(code, i % 8, At.of(ROW, i * simd.lanes() * element.bytes()));
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

    private void load(Simd.Code code, int vector, At from) {
        Assembler to = code.to();
        switch (element) {
            case F32 -> to.op(VMOVUPS, simd.width(), vector, Assembler.NONE, from);
            case F16 -> to.op(VCVTPH2PS, simd.width(), vector, Assembler.NONE, from);
            case BF16 -> {
                to.op(VPMOVZXWD, simd.width(), vector, Assembler.NONE, from);
                to.shift(VPSLLD, simd.width(), 6, vector, vector, 16);
            }
            case I32, U32, BOOL, PACKED -> throw new IllegalStateException("rows of " + element);
        }
    }
}
