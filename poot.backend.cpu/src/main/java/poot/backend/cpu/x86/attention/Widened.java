package poot.backend.cpu.x86.attention;

import static poot.backend.cpu.x86.Instruction.VCVTDQ2PS;
import static poot.backend.cpu.x86.Instruction.VCVTPH2PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPBROADCASTW;
import static poot.backend.cpu.x86.Instruction.VPMOVSXBD;
import static poot.backend.cpu.x86.Instruction.VPMOVZXWD;
import static poot.backend.cpu.x86.Instruction.VPSLLD;

import poot.api.graph.ElementType;
import poot.api.model.KvForm;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * Rows of F32, F16 or BF16 to F32 [n, width], exactly; or of signed 8-bit codes, each times the F16 scale of its 32, rounded
 * once. Arguments: first row, bytes from a row to the next, out, n; first scale, bytes from a row's scales to the next's.
 *
 * @param width features, a multiple of a vector's lanes; of 32 where {@code coded}
 * @param coded whether rows are codes, four in an {@code element}
 */
public record Widened(Simd simd, int width, ElementType element, boolean coded) {
    private static final Register ROW = Register.RDI;
    private static final Register STRIDE = Register.RSI;
    private static final Register OUT = Register.RDX;
    private static final Register COUNT = Register.RCX;
    private static final Register SCALES = Register.R8;
    private static final Register SCALES_STRIDE = Register.R9;
    private static final int SCALE = 8;

    /** The code. */
    public byte[] code() {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        Label next = to.here();
        for (int i = 0; i < width / simd.lanes(); i++) {
            if (coded) {
                decode(code, i % 8, i * simd.lanes());
            } else {
                load(code, i % 8, At.of(ROW, i * simd.lanes() * element.bytes()));
            }
            to.op(VMOVUPS_STORE, simd.width(), i % 8, Assembler.NONE, At.of(OUT, i * simd.width()));
        }
        to.add(ROW, STRIDE);
        to.add(OUT, 4 * width);
        if (coded) {
            to.add(SCALES, SCALES_STRIDE);
        }
        to.dec(COUNT);
        to.jnz(next);
        to.vzeroupper();
        to.ret();
        return code.finish();
    }

    private void decode(Simd.Code code, int vector, int feature) {
        if (feature % KvForm.GROUP == 0) {
            At scale = At.of(SCALES, Short.BYTES * (feature / KvForm.GROUP));
            code.to().op(VPBROADCASTW, simd.width(), SCALE, Assembler.NONE, scale);
            code.op(VCVTPH2PS, SCALE, Assembler.NONE, SCALE);
        }
        code.to().op(VPMOVSXBD, simd.width(), vector, Assembler.NONE, At.of(ROW, feature));
        code.op(VCVTDQ2PS, vector, Assembler.NONE, vector);
        code.op(VMULPS, vector, vector, SCALE);
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
