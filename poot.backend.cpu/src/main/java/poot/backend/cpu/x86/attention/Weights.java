package poot.backend.cpu.x86.attention;

import static poot.backend.cpu.x86.Instruction.VADDPS;
import static poot.backend.cpu.x86.Instruction.VFMADD213PS;
import static poot.backend.cpu.x86.Instruction.VFMADD231PS;
import static poot.backend.cpu.x86.Instruction.VFNMADD231PS;
import static poot.backend.cpu.x86.Instruction.VMAXPS;
import static poot.backend.cpu.x86.Instruction.VMINPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPADDD;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VSUBPS;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * Scores [n, queries] to weights e^(score - largest), for one vector of queries: the largest score so far grows, the sum
 * of weights is rescaled and added to, and the factor by which it was is left for what else was accumulated. Arguments:
 * first score, largest scores, sums, factors, n, bounds, the first position as the bits of an F32.
 *
 * @param queries floats of a row of scores
 * @param bounded whether a query sees only the positions from {@code bounds[queries + i]} to {@code bounds[i]}, F32
 */
public record Weights(Simd simd, int queries, boolean bounded) {
    /** The largest score of a query that saw nothing: below every score, and every score of a position not seen below it. */
    public static final float NOTHING = -1e38f;

    private static final Register SCORES = Register.RDI;
    private static final Register LARGEST = Register.RSI;
    private static final Register SUMS = Register.RDX;
    private static final Register FACTORS = Register.RCX;
    private static final Register COUNT = Register.R8;
    private static final Register BOUNDS = Register.R9;
    private static final Register AT = Register.RAX;
    private static final Register LEFT = Register.R10;

    private static final int MOST = 0;
    private static final int X = 1;
    private static final int POWER = 2;
    private static final int N = 3;
    private static final int E = 4;
    private static final int SQUARE = 5;
    private static final int SUM = 6;
    private static final int POSITION = 7;
    private static final int END = 8;
    private static final int FIRST = 9;
    private static final int LOWEST = 10;
    private static final int LOG2E = 11;
    private static final int ZERO = 12;

    private static final int ONE = Float.floatToRawIntBits(1f);
    /** 1.5 · 2^23: adding it leaves the nearest integer in the low bits. */
    private static final int ROUND = Float.floatToRawIntBits(12582912f);
    private static final float[] POLYNOMIAL = {
        1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};

    /** The code. */
    public byte[] code() {
        Simd.Code code = new Simd.Code(simd);
        code.constant(LOG2E, Float.floatToRawIntBits(1.44269504f));
        code.constant(LOWEST, Float.floatToRawIntBits(-88f));
        load(code, MOST, At.of(LARGEST, 0));
        if (bounded) {
            load(code, END, At.of(BOUNDS, 0));
            load(code, FIRST, At.of(BOUNDS, 4 * queries));
            code.spread(POSITION, At.of(Register.RSP, 8));
            code.zero(ZERO);
        }
        each(code, this::largest);
        load(code, X, At.of(LARGEST, 0));
        code.op(VSUBPS, X, X, MOST);
        exponential(code);
        store(code, E, At.of(FACTORS, 0));
        load(code, SUM, At.of(SUMS, 0));
        code.op(VMULPS, END, SUM, E);
        code.zero(SUM);
        each(code, this::weight);
        code.op(VADDPS, SUM, SUM, END);
        store(code, SUM, At.of(SUMS, 0));
        store(code, MOST, At.of(LARGEST, 0));
        code.to().vzeroupper();
        code.to().ret();
        return code.finish();
    }

    private interface Body {
        void at(Simd.Code code);
    }

    private void each(Simd.Code code, Body body) {
        Assembler to = code.to();
        to.mov(AT, SCORES);
        to.mov(LEFT, COUNT);
        Label next = to.here();
        load(code, X, At.of(AT, 0));
        body.at(code);
        to.add(AT, 4 * queries);
        to.dec(LEFT);
        to.jnz(next);
    }

    /** A position outside its query's bounds is lowered by 3e38 for each place it is outside. */
    private void largest(Simd.Code code) {
        if (bounded) {
            code.op(VSUBPS, N, END, POSITION);
            code.constant(VSUBPS, N, N, ONE);
            code.op(VSUBPS, E, POSITION, FIRST);
            code.op(VMINPS, N, N, E);
            code.op(VMINPS, N, N, ZERO);
            code.constant(VFMADD231PS, X, N, Float.floatToRawIntBits(3e38f));
            code.constant(VADDPS, POSITION, POSITION, ONE);
            store(code, X, At.of(AT, 0));
        }
        code.op(VMAXPS, MOST, MOST, X);
    }

    private void weight(Simd.Code code) {
        code.op(VSUBPS, X, X, MOST);
        exponential(code);
        store(code, E, At.of(AT, 0));
        code.op(VADDPS, SUM, SUM, E);
    }

    /**
     * E = e^X for X of at most 0 within 2 units in the last place, 0 below -88, NaN for NaN: 2^n · e^r by a polynomial of
     * degree 6 (Cephes expf).
     */
    private static void exponential(Simd.Code code) {
        code.op(VMAXPS, X, LOWEST, X);
        code.op(VMOVUPS, POWER, Assembler.NONE, X);
        code.constant(VFMADD213PS, POWER, LOG2E, ROUND);
        code.constant(VSUBPS, N, POWER, ROUND);
        code.constant(VFNMADD231PS, X, N, Float.floatToRawIntBits(0.693359375f));
        code.constant(VFNMADD231PS, X, N, Float.floatToRawIntBits(-2.12194440e-4f));
        code.op(VMULPS, SQUARE, X, X);
        code.constant(E, Float.floatToRawIntBits(POLYNOMIAL[0]));
        for (int i = 1; i < POLYNOMIAL.length; i++) {
            code.constant(VFMADD213PS, E, X, Float.floatToRawIntBits(POLYNOMIAL[i]));
        }
        code.op(VFMADD213PS, E, SQUARE, X);
        code.constant(VADDPS, E, E, ONE);
        code.to().shift(VPSLLD, code.simd().width(), 6, POWER, POWER, 23);
        code.constant(VPADDD, POWER, POWER, ONE);
        code.op(VMULPS, E, E, POWER);
    }

    private static void load(Simd.Code code, int to, At at) {
        code.to().op(VMOVUPS, code.simd().width(), to, Assembler.NONE, at);
    }

    private static void store(Simd.Code code, int from, At at) {
        code.to().op(VMOVUPS_STORE, code.simd().width(), from, Assembler.NONE, at);
    }
}
