package poot.backend.cpu.x86.attention;

import static poot.backend.cpu.x86.Instruction.VFMADD231PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;
import static poot.backend.cpu.x86.Instruction.VMULPS;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * out [4, features] = factor [4] · out + weights [n, 4]ᵀ · v [n, features], for some vectors of features. Arguments: first
 * weight, first value, bytes from a value to the next, out, n, factors.
 *
 * @param vectors vectors of features, at most {@link #most}
 * @param queries floats of a row of weights
 * @param width   floats of a row of out
 */
public record Values(Simd simd, int vectors, int queries, int width) {
    /** Queries of a call. */
    public static final int QUERIES = 4;

    private static final Register WEIGHTS = Register.RDI;
    private static final Register VALUE = Register.RSI;
    private static final Register STRIDE = Register.RDX;
    private static final Register OUT = Register.RCX;
    private static final Register COUNT = Register.R8;
    private static final Register FACTORS = Register.R9;

    /** Vectors of features that a call takes at most. */
    public static int most(Simd simd) {
        return simd.wide() ? 4 : 2;
    }

    /** The code. */
    public byte[] code() {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        int value = QUERIES * vectors;
        int weight = value + vectors;
        for (int q = 0; q < QUERIES; q++) {
            code.spread(weight, At.of(FACTORS, 4 * q));
            for (int v = 0; v < vectors; v++) {
                to.op(VMULPS, simd.width(), q * vectors + v, weight, out(q, v));
            }
        }
        Label next = to.here();
        for (int v = 0; v < vectors; v++) {
            to.op(VMOVUPS, simd.width(), value + v, Assembler.NONE, At.of(VALUE, v * simd.width()));
        }
        for (int q = 0; q < QUERIES; q++) {
            code.spread(weight, At.of(WEIGHTS, 4 * q));
            for (int v = 0; v < vectors; v++) {
                code.op(VFMADD231PS, q * vectors + v, value + v, weight);
            }
        }
        to.add(WEIGHTS, 4 * queries);
        to.add(VALUE, STRIDE);
        to.dec(COUNT);
        to.jnz(next);
        for (int q = 0; q < QUERIES; q++) {
            for (int v = 0; v < vectors; v++) {
                to.op(VMOVUPS_STORE, simd.width(), q * vectors + v, Assembler.NONE, out(q, v));
            }
        }
        to.vzeroupper();
        to.ret();
        return code.finish();
    }

    private At out(int query, int vector) {
        return At.of(OUT, 4 * query * width + vector * simd.width());
    }
}
