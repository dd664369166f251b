package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VCVTPH2PS;
import static poot.backend.cpu.x86.Instruction.VINSERTI128;
import static poot.backend.cpu.x86.Instruction.VMOVD;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VPINSRB;
import static poot.backend.cpu.x86.Instruction.VPINSRD;
import static poot.backend.cpu.x86.Instruction.VPINSRW;
import static poot.backend.cpu.x86.Instruction.VPMOVZXBD;
import static poot.backend.cpu.x86.Instruction.VPMOVZXWD;

import java.util.Optional;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.Instruction;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * As many weight rows as a vector has lanes, at one block of each; row r belongs to lane r. What is read of them comes
 * out with a row in every lane. Where they are {@link RowPointers} know; how sixteen bytes and more of every row come into lanes,
 * {@link Quads}.
 */
public final class Rows {
    /** Four registers that {@link #quads} fills. */
    public final int quads;
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

    private final Simd.Code code;
    private final int lanes;
    private final Optional<Interleaving> order;
    private final RowPointers pointers;
    private final Reads reads = new Reads();
    private final Ahead ahead;
    private final Quads sixteens;
    private final Scratch scratch;

    /** Rows read by {@code code}, as they are stored or interleaved in some order. */
    public Rows(Simd.Code code, Optional<Interleaving> order) {
        this.code = code;
        this.order = order;
        this.ahead = new Ahead(code.to());
        this.scratch = new Scratch(code);
        this.lanes = code.simd().lanes();
        boolean wide = code.simd().wide();
        quads = wide ? 16 : 6;
        work = wide ? 24 : 10;
        free = wide ? 31 : 11;
        scales = wide ? 28 : 12;
        minimums = wide ? 29 : 13;
        kept = wide ? 25 : 14;
        pointers = new RowPointers(code.to(), lanes, order);
        sixteens = new Quads(this, pointers, ahead);
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
        pointers.point(first);
    }

    /** Whether no byte may be read in two ways. */
    boolean inOrder() {
        return pointers.interleaved() || reads.areToDivide();
    }

    /** What has been read of a step. */
    Reads reads() {
        return reads;
    }

    /** {@code first} goes on by as many rows as there are lanes. */
    public void next(Register first) {
        pointers.next(first);
    }

    /** Of the {@code bytes} at {@code from} as much is asked for with every read as is read. */
    public void ahead(Register from, int bytes) {
        ahead.begin(from, bytes);
    }

    /** Goes on by {@code bytes} in every row. */
    public void advance(int bytes) {
        ahead.end();
        pointers.advance(bytes);
    }

    /** Registers {@link #quads} to +3: bytes {@code at} to at + 15 of the rows, four bytes in each. */
    public void quads(int at) {
        sixteens.all(at);
    }

    /**
     * Reads 64 bytes of every row, a row at a time where there are registers for it: rows may lie so that the first cache
     * does not keep a line of all of them. Each sixteen bytes are then given to {@code piece}, which calls
     * {@link #quads(int, int)} for the first register of what it wants.
     */
    public void line(Piece piece) {
        sixteens.line(piece);
    }

    /** What is done with sixteen bytes of every row. */
    public interface Piece {
        /** Piece {@code number} of a line is number {@code index} of {@code count} read together. */
        void take(int number, int index, int count);
    }

    /** Four bytes of a row in each lane of four registers; returns the first. */
    public int quads(int index, int count) {
        return sixteens.exchange(index, count);
    }

    /** What is done with sixteen bytes of the rows, which are in four registers from {@code quads} on. */
    public interface Half {
        /** Takes the first ({@code number} 0) or the second sixteen. */
        void take(int number, int quads);
    }

    /**
     * Bytes {@code at} to at + 31 of the rows as {@link #quads(int)} gives them, sixteen at a time; scales, minimums and free are
     * lost. Where there are registers for it half as many reads do, and fewer exchanges.
     */
    public void pieces(int at, Half half) {
        sixteens.pieces(at, half);
    }

    /** A register that nothing else uses, where vectors are wide. */
    public static final int EXTRA = 27;

    /** to = the F16 at {@code at} of every row, as F32; {@code other} is overwritten. */
    public void half(int at, int to, int other) {
        if (pointers.interleaved()) {
            code.to().op(VCVTPH2PS, code.simd().width(), to, Assembler.NONE, pointers.together(at));
            return;
        }
        words(at, to, other);
        code.op(VCVTPH2PS, to, Assembler.NONE, to);
    }

    /** The lower half of to = the two bytes at {@code at} of every row. */
    private void words(int at, int to, int other) {
        Assembler a = code.to();
        if (pointers.interleaved()) {
            a.op(VMOVUPS, code.simd().width() / 2, to, Assembler.NONE, pointers.together(at));
            return;
        }
        reads.note(at, 2, 1);
        for (int part = 0; part < lanes / 8; part++) {
            int r = part == 0 ? to : other;
            a.op(Instruction.VPXOR, 16, r, r, r);
            for (int i = 0; i < 8; i++) {
                a.op(VPINSRW, 16, r, r, pointers.row(8 * part + i, at), i);
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
                if (pointers.interleaved()) {
                    sixteens.dwords(at, to, 1);
                    return;
                }
                reads.note(at, 4, 1);
                for (int part = 0; part < lanes / 4; part++) {
                    int r = part == 0 ? to : other;
                    code.to().op(VMOVD, 16, r, Assembler.NONE, pointers.row(4 * part, at));
                    for (int i = 1; i < 4; i++) {
                        code.to().op(VPINSRD, 16, r, r, pointers.row(4 * part + i, at), i);
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
        if (pointers.interleaved()) {
            code.to().op(VPMOVZXBD, code.simd().width(), to, Assembler.NONE, pointers.together(at));
            return;
        }
        reads.note(at, 1, 1);
        code.to().op(Instruction.VPXOR, 16, to, to, to);
        for (int i = 0; i < lanes; i++) {
            code.to().op(VPINSRB, 16, to, to, pointers.row(i, at), i);
        }
        code.op(VPMOVZXBD, to, Assembler.NONE, to);
    }
}
