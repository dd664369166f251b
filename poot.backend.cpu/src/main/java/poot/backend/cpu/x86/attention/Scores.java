package poot.backend.cpu.x86.attention;

import static poot.backend.cpu.x86.Instruction.VFMADD231PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * scores [n, queries] = k [n, depth] · q [depth, queries], for some vectors of queries. Keys are read where they lie, an
 * element of a key multiplies a vector of queries. Arguments: q, first key, bytes from a key to the next, first score,
 * whole blocks of {@link #block} positions, positions left over.
 *
 * @param vectors vectors of queries, at most {@link #most}
 * @param depth   features
 * @param queries floats of a row of q and of scores
 */
public record Scores(Simd simd, int vectors, int depth, int queries) {
    private static final Register Q = Register.RDI;
    private static final Register KEY = Register.RSI;
    private static final Register STRIDE = Register.RDX;
    private static final Register OUT = Register.RCX;
    private static final Register BLOCKS = Register.R8;
    private static final Register REST = Register.R9;
    private static final Register LEFT = Register.RAX;
    private static final Register AT = Register.R10;
    private static final Register LOW = Register.R11;
    private static final Register HIGH = Register.RBP;
    private static final Register STRIDES3 = Register.RBX;
    /** Features between two steps of the addresses. */
    private static final int UNROLLED = 8;

    /** Vectors of queries that a call takes at most. */
    public static int most(Simd simd) {
        return simd.wide() ? 4 : 2;
    }

    /** Positions of a block: sums enough to hide the latency of a multiplication. */
    public int block() {
        return vectors == 1 ? 8 : 4;
    }

    /** The code. */
    public byte[] code() {
        Simd.Code code = new Simd.Code(simd);
        Assembler to = code.to();
        to.push(STRIDES3);
        to.push(HIGH);
        to.lea(STRIDES3, At.of(STRIDE, STRIDE, 2, 0));
        repeat(code, BLOCKS, block());
        repeat(code, REST, 1);
        to.pop(HIGH);
        to.pop(STRIDES3);
        to.vzeroupper();
        to.ret();
        return code.finish();
    }

    private void repeat(Simd.Code code, Register count, int positions) {
        Assembler to = code.to();
        Label done = to.label();
        to.cmp(count, 0);
        to.jz(done);
        Label again = to.here();
        positions(code, positions);
        to.dec(count);
        to.jnz(again);
        to.bind(done);
    }

    private void positions(Simd.Code code, int positions) {
        Assembler to = code.to();
        for (int sum = 0; sum < positions * vectors; sum++) {
            code.zero(sum);
        }
        to.mov(AT, Q);
        to.mov(LOW, KEY);
        to.lea(HIGH, At.of(KEY, STRIDE, 4, 0));
        if (depth >= UNROLLED) {
            to.mov(LEFT, depth / UNROLLED);
            Label step = to.here();
            features(code, positions, UNROLLED);
            to.add(AT, 4 * UNROLLED * queries);
            to.add(LOW, 4 * UNROLLED);
            to.add(HIGH, 4 * UNROLLED);
            to.dec(LEFT);
            to.jnz(step);
        }
        features(code, positions, depth % UNROLLED);
        for (int p = 0; p < positions; p++) {
            for (int v = 0; v < vectors; v++) {
                to.op(VMOVUPS_STORE, simd.width(), p * vectors + v, Assembler.NONE, At.of(OUT, 4 * p * queries + v * simd.width()));
            }
        }
        to.lea(KEY, At.of(KEY, STRIDE, positions, 0));
        to.add(OUT, 4 * positions * queries);
    }

    private void features(Simd.Code code, int positions, int count) {
        int q = positions * vectors;
        int key = q + vectors;
        for (int d = 0; d < count; d++) {
            for (int v = 0; v < vectors; v++) {
                code.to().op(VMOVUPS, simd.width(), q + v, Assembler.NONE, At.of(AT, 4 * d * queries + v * simd.width()));
            }
            for (int p = 0; p < positions; p++) {
                code.spread(key, key(p, 4 * d));
                for (int v = 0; v < vectors; v++) {
                    code.op(VFMADD231PS, p * vectors + v, q + v, key);
                }
            }
        }
    }

    private static At key(int position, int at) {
        Register base = position < 4 ? LOW : HIGH;
        return switch (position % 4) {
            case 0 -> At.of(base, at);
            case 1 -> At.of(base, STRIDE, 1, at);
            case 2 -> At.of(base, STRIDE, 2, at);
            default -> At.of(base, STRIDES3, 1, at);
        };
    }
}
