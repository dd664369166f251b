package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VCVTPH2PS;
import static poot.backend.cpu.x86.Instruction.VINSERTI128;
import static poot.backend.cpu.x86.Instruction.VINSERTI64X4;
import static poot.backend.cpu.x86.Instruction.VMOVD;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VPINSRB;
import static poot.backend.cpu.x86.Instruction.VPINSRD;
import static poot.backend.cpu.x86.Instruction.VPINSRW;
import static poot.backend.cpu.x86.Instruction.VPMOVZXBD;
import static poot.backend.cpu.x86.Instruction.VPMOVZXWD;
import static poot.backend.cpu.x86.Instruction.VPUNPCKHDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKHQDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKLDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKLQDQ;
import static poot.backend.cpu.x86.Instruction.VSHUFI32X4;

import java.util.Optional;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Instruction;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * As many weight rows as a vector has lanes, at one block of each; row r belongs to lane r. What is read of them comes
 * out with a row in every lane. Registers: RAX, RBX, RBP, R12 hold every fourth row, R10 and R11 one and three strides. Of
 * {@linkplain Interleaving interleaved} rows one read takes the same of each, and RAX alone goes along.
 */
public final class Rows {
    private static final Register[] BASES = {Register.RAX, Register.RBX, Register.RBP, Register.R12};
    /** One stride. */
    public static final Register STRIDE = Register.R10;
    /** Three. */
    public static final Register STRIDES3 = Register.R11;

    /** Four registers that {@link #quads} fills. */
    public final int quads;
    /** Four more that it overwrites. */
    private final int spare;
    /** A register for what is made of the quads. */
    public final int work;
    /** A register that any instruction here may overwrite. */
    public final int free;
    /** A register for a group's scales. */
    public final int scales;
    /** A register for a group's minimums. */
    public final int minimums;
    /** Two registers that nothing overwrites within a step. */
    public final int kept;

    /**
     * Bytes ahead in its own row that a line is asked for in the first cache, from the second: as many rows are more than
     * the processor follows by itself, and misses of the first cache wait behind what is on its way from memory.
     */
    private static final int NEAR = 384;

    private final Simd.Code code;
    private final int lanes;
    private final Optional<Interleaving> order;
    private final boolean interleaved;
    private final Reads reads = new Reads();
    private final Ahead ahead;
    private final Scratch scratch;

    /** Rows read by {@code code}, as they are stored or interleaved in some order. */
    public Rows(Simd.Code code, Optional<Interleaving> order) {
        this.code = code;
        this.order = order;
        this.interleaved = order.isPresent();
        this.ahead = new Ahead(code.to());
        this.scratch = new Scratch(code);
        this.lanes = code.simd().lanes();
        boolean wide = code.simd().wide();
        quads = wide ? 16 : 6;
        spare = wide ? 20 : 10;
        work = wide ? 24 : 10;
        free = wide ? 31 : 11;
        scales = wide ? 28 : 12;
        minimums = wide ? 29 : 13;
        kept = wide ? 25 : 14;
    }

    /** The same rows, for other code. */
    public Rows again() {
        return new Rows(new Simd.Code(code.simd()), order);
    }

    /** The code being written. */
    public Simd.Code code() {
        return code;
    }

    /** What is kept beside these registers. */
    public Scratch scratch() {
        return scratch;
    }

    /** Points at the rows from {@code first} on. */
    public void point(Register first) {
        Assembler to = code.to();
        to.mov(BASES[0], first);
        for (int i = 1; i < lanes / 4 && !interleaved; i++) {
            to.lea(BASES[i], At.of(BASES[i - 1], STRIDE, 4, 0));
        }
    }

    /** Whether no byte may be read in two ways. */
    boolean inOrder() {
        return interleaved || reads.areToDivide();
    }

    /** What has been read of a step. */
    Reads reads() {
        return reads;
    }

    /** What begins at byte {@code at} of a step, of the first row, and then of the others. */
    private At together(int at) {
        return At.of(BASES[0], order.orElseThrow().place(at));
    }

    /** {@code first} goes on by as many rows as there are lanes. */
    public void next(Register first) {
        Assembler to = code.to();
        for (int i = 0; i < lanes; i += 8) {
            to.lea(first, At.of(first, STRIDE, 8, 0));
        }
    }

    /** Of the {@code bytes} at {@code from} as much is asked for with every read as is read. */
    public void ahead(Register from, int bytes) {
        ahead.begin(from, bytes);
    }

    /** Goes on by {@code bytes} in every row. */
    public void advance(int bytes) {
        ahead.end();
        if (interleaved) {
            code.to().add(BASES[0], lanes * bytes);
            return;
        }
        for (int i = 0; i < lanes / 4; i++) {
            code.to().add(BASES[i], bytes);
        }
    }

    private At row(int row, int at) {
        Register base = BASES[row / 4];
        return switch (row % 4) {
            case 0 -> At.of(base, at);
            case 1 -> At.of(base, STRIDE, 1, at);
            case 2 -> At.of(base, STRIDE, 2, at);
            default -> At.of(base, STRIDES3, 1, at);
        };
    }

    /** Registers {@link #quads} to +3: bytes {@code at} to at + 15 of the rows, four bytes in each. */
    public void quads(int at) {
        sixteens(at, 1);
        quads(0, 1);
    }

    /**
     * Reads 64 bytes of every row, a row at a time where there are registers for it: rows may lie so that the first cache
     * does not keep a line of all of them. Each sixteen bytes are then given to {@code piece}, which calls
     * {@link #quads(int, int)} for the first register of what it wants.
     */
    public void line(Piece piece) {
        int together = code.simd().wide() ? 4 : 1;
        for (int i = 0; i < 4; i += together) {
            sixteens(16 * i, together);
            for (int j = 0; j < together; j++) {
                piece.take(i + j, j, together);
            }
        }
    }

    /** What is done with sixteen bytes of every row. */
    public interface Piece {
        /** Piece {@code number} of a line is number {@code index} of {@code count} read together. */
        void take(int number, int index, int count);
    }

    private int first(int index, int count) {
        return quads - 4 * (count - 1 - index);
    }

    /** Four bytes of a row in each lane of four registers; returns the first. */
    public int quads(int index, int count) {
        int q = first(index, count);
        transpose(q, spare);
        return q;
    }

    /** Of every 128 bits of four registers from {@code q} on, dword i goes to register i; four from {@code free} on are lost. */
    private void transpose(int q, int free) {
        if (interleaved) {
            return;
        }
        code.op(VPUNPCKLDQ, free, q, q + 1);
        code.op(VPUNPCKHDQ, free + 1, q, q + 1);
        code.op(VPUNPCKLDQ, free + 2, q + 2, q + 3);
        code.op(VPUNPCKHDQ, free + 3, q + 2, q + 3);
        code.op(VPUNPCKLQDQ, q, free, free + 2);
        code.op(VPUNPCKHQDQ, q + 1, free, free + 2);
        code.op(VPUNPCKLQDQ, q + 2, free + 1, free + 3);
        code.op(VPUNPCKHQDQ, q + 3, free + 1, free + 3);
    }

    /** What is done with sixteen bytes of the rows, which are in four registers from {@code quads} on. */
    public interface Half {
        /** Takes the first ({@code number} 0) or the second sixteen. */
        void take(int number, int quads);
    }

    /**
     * Bytes {@code at} to at + 31 of the rows as {@link #quads} gives them, sixteen at a time; scales, minimums and free are lost. Where
     * there are registers for it half as many reads do, and fewer exchanges.
     */
    public void pieces(int at, Half half) {
        for (int i = 0; i < lanes && !interleaved; i++) {
            code.to().prefetchNear(row(i, at + NEAR));
        }
        if (!code.simd().wide()) {
            for (int i = 0; i < 2; i++) {
                quads(at + 16 * i);
                half.take(i, quads);
            }
            return;
        }
        if (interleaved) {
            dwords(at, quads, 8);
            half.take(0, quads);
            half.take(1, quads + 4);
            return;
        }
        ahead.ask(32 * lanes);
        reads.note(at, 4, 8);
        for (int i = 0; i < 8; i++) {
            int row = i / 4 * 8 + i % 4;
            code.to().op(VMOVUPS, 32, quads + i, Assembler.NONE, row(row, at));
            code.to().op(VINSERTI64X4, 64, quads + i, quads + i, row(row + 4, at), 1);
        }
        transpose(quads, scales);
        transpose(quads + 4, scales);
        for (int i = 0; i < 4; i++) {
            move(scales + i, quads + i);
            code.to().op(VSHUFI32X4, 64, quads + i, scales + i, quads + 4 + i, 0x88);
            code.to().op(VSHUFI32X4, 64, quads + 4 + i, scales + i, quads + 4 + i, 0xDD);
        }
        half.take(0, quads);
        half.take(1, quads + 4);
    }

    /** {@code count} registers from {@code to} on: the dwords from {@code at} on of interleaved rows. */
    private void dwords(int at, int to, int count) {
        ahead.ask(4 * lanes * count);
        for (int i = 0; i < count; i++) {
            code.to().op(VMOVUPS, code.simd().width(), to + i, Assembler.NONE, together(at + 4 * i));
        }
    }

    /** In each 128 bits of a register sixteen bytes of a row: of rows i, 4 + i, 8 + i, 12 + i. */
    private void sixteens(int at, int pieces) {
        if (interleaved) {
            for (int piece = 0; piece < pieces; piece++) {
                dwords(at + 16 * piece, first(piece, pieces), 4);
            }
            return;
        }
        ahead.ask(16 * lanes * pieces);
        reads.note(at, 4, 4 * pieces);
        for (int i = 0; i < 4; i++) {
            for (int part = 0; part < lanes / 4; part++) {
                for (int piece = 0; piece < pieces; piece++) {
                    int to = first(piece, pieces) + i;
                    At from = row(4 * part + i, at + 16 * piece);
                    if (part == 0) {
                        code.to().op(VMOVUPS, 16, to, Assembler.NONE, from);
                    } else {
                        code.to().op(VINSERTI128, code.simd().width(), to, to, from, part);
                    }
                }
            }
        }
    }

    /** A register that nothing else uses, where vectors are wide. */
    public static final int EXTRA = 27;

    /** to = the F16 at {@code at} of every row, as F32; {@code other} is overwritten. */
    public void half(int at, int to, int other) {
        if (interleaved) {
            code.to().op(VCVTPH2PS, code.simd().width(), to, Assembler.NONE, together(at));
            return;
        }
        words(at, to, other);
        code.op(VCVTPH2PS, to, Assembler.NONE, to);
    }

    /** The lower half of to = the two bytes at {@code at} of every row. */
    private void words(int at, int to, int other) {
        Assembler a = code.to();
        if (interleaved) {
            a.op(VMOVUPS, code.simd().width() / 2, to, Assembler.NONE, together(at));
            return;
        }
        reads.note(at, 2, 1);
        for (int part = 0; part < lanes / 8; part++) {
            int r = part == 0 ? to : other;
            a.op(Instruction.VPXOR, 16, r, r, r);
            for (int i = 0; i < 8; i++) {
                a.op(VPINSRW, 16, r, r, row(8 * part + i, at), i);
            }
        }
        if (lanes == 16) {
            a.op(VINSERTI128, 32, to, to, other, 1);
        }
    }

    /** to = the one, two or four {@code bytes} at {@code at} of every row, without sign; {@code other} is overwritten. */
    public void numbers(int at, int bytes, int to, int other) {
        switch (bytes) {
            case 1 -> bytes(at, to);
            case 2 -> {
                words(at, to, other);
                code.op(VPMOVZXWD, to, Assembler.NONE, to);
            }
            default -> {
                if (interleaved) {
                    dwords(at, to, 1);
                    return;
                }
                reads.note(at, 4, 1);
                for (int part = 0; part < lanes / 4; part++) {
                    int r = part == 0 ? to : other;
                    code.to().op(VMOVD, 16, r, Assembler.NONE, row(4 * part, at));
                    for (int i = 1; i < 4; i++) {
                        code.to().op(VPINSRD, 16, r, r, row(4 * part + i, at), i);
                    }
                    if (part > 0) {
                        code.to().op(VINSERTI128, code.simd().width(), to, to, other, part);
                    }
                }
            }
        }
    }

    /** to = the F16 in the lower half of every lane of {@code from}, as F32. */
    public void half(int from, int to) {
        if (code.simd().wide()) {
            code.to().op(Instruction.VPMOVDW_STORE, 64, from, Assembler.NONE, to);
        } else {
            code.constant(Instruction.VPAND, to, from, 0xFFFF);
            code.op(Instruction.VPACKUSDW, to, to, to);
            code.to().op(Instruction.VPERMQ_IMM, 32, to, Assembler.NONE, to, 0xD8);
        }
        code.op(VCVTPH2PS, to, Assembler.NONE, to);
    }

    /** Leaves a vector in the scratch. */
    public void keep(int vector, int from) {
        scratch.keep(vector, from);
    }

    /** Takes a vector from the scratch into {@code to}, unless it stands in a register. Returns the one where it is to be read. */
    public int take(int vector, int to) {
        return scratch.take(vector, to);
    }

    /** to = from. */
    public void move(int to, int from) {
        code.op(VMOVUPS, to, Assembler.NONE, from);
    }

    /** to = from shifted: {@code kind} and {@code by} as the assembler's. */
    public void shift(Instruction i, int kind, int to, int from, int by) {
        code.to().shift(i, code.simd().width(), kind, to, from, by);
    }

    /** to = the byte at {@code at} of every row, unsigned. */
    public void bytes(int at, int to) {
        if (interleaved) {
            code.to().op(VPMOVZXBD, code.simd().width(), to, Assembler.NONE, together(at));
            return;
        }
        reads.note(at, 1, 1);
        code.to().op(Instruction.VPXOR, 16, to, to, to);
        for (int i = 0; i < lanes; i++) {
            code.to().op(VPINSRB, 16, to, to, row(i, at), i);
        }
        code.op(VPMOVZXBD, to, Assembler.NONE, to);
    }
}
