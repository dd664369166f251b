package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VBROADCASTSS;
import static poot.backend.cpu.x86.Instruction.VCVTPH2PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VPBROADCASTW;
import static poot.backend.cpu.x86.Instruction.VPMOVZXWD;
import static poot.backend.cpu.x86.Instruction.VPSLLD;

import poot.api.graph.ElementType;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;

/**
 * How steps go through the parts that lie beside a weight's codes. Where they begin and how they go on stands among the
 * sizes of a kernel, at RDI; within a group of rows R9 points at its scales, and R8 counts steps.
 */
public final class Parts {
    /** Positions among the sizes, in bytes: the bytes from a row of codes to the next. */
    public static final int ROW_BYTES = 0;
    /** The address of the scales of the next group of rows. */
    public static final int SCALES = 32;
    /** The bytes from scales to those that follow along k; of scales in rows of their own, from row to row. */
    public static final int SCALE_BYTES = 40;
    /** Steps that share scales. */
    public static final int SHARING = 48;
    /** What kernels keep while steps have R8 and R9. */
    public static final int KEPT = 56;
    /** Bytes of all sizes. */
    public static final int SIZES = 128;

    private static final Register AT_SCALES = Register.R9;
    private static final Register COUNT = Register.R8;

    private Parts() {}

    static At size(int position) {
        return At.of(Register.RDI, position);
    }

    /** Points at the parts of the next group of rows. */
    static void begin(Rows rows) {
        rows.code().to().mov(AT_SCALES, size(SCALES));
        rows.code().to().mov(COUNT, size(SHARING));
    }

    /** Goes on by a step. */
    static void advance(Rows rows) {
        Assembler to = rows.code().to();
        Label same = to.label();
        to.dec(COUNT);
        to.jnz(same);
        to.add(AT_SCALES, size(SCALE_BYTES));
        to.mov(COUNT, size(SHARING));
        to.bind(same);
    }

    /** What stands at {@code position} of the sizes goes on by {@code bytes}; between two groups of rows. */
    static void next(Rows rows, int position, int bytes) {
        Assembler to = rows.code().to();
        to.mov(Register.RAX, size(position));
        to.add(Register.RAX, bytes);
        to.store(size(position), Register.RAX);
    }

    /** to = a scale for each lane. */
    static void scales(Rows rows, ElementType element, int to) {
        At at = At.of(AT_SCALES, 0);
        switch (element) {
            case F32 -> rows.code().to().op(VMOVUPS, width(rows), to, Assembler.NONE, at);
            case F16 -> rows.code().to().op(VCVTPH2PS, width(rows), to, Assembler.NONE, at);
            case BF16 -> {
                rows.code().to().op(VPMOVZXWD, width(rows), to, Assembler.NONE, at);
                rows.shift(VPSLLD, 6, to, to, 16);
            }
            case I32, U32, BOOL, PACKED -> throw new IllegalArgumentException("scales of type " + element);
        }
    }

    /** to = one scale in every lane. */
    static void spread(Rows rows, ElementType element, int to) {
        At at = At.of(AT_SCALES, 0);
        switch (element) {
            case F32 -> rows.code().to().op(VBROADCASTSS, width(rows), to, Assembler.NONE, at);
            case F16 -> {
                rows.code().to().op(VPBROADCASTW, width(rows), to, Assembler.NONE, at);
                rows.code().op(VCVTPH2PS, to, Assembler.NONE, to);
            }
            case BF16 -> {
                rows.code().to().op(VPBROADCASTW, width(rows), to, Assembler.NONE, at);
                rows.shift(VPSLLD, 6, to, to, 16);
            }
            case I32, U32, BOOL, PACKED -> throw new IllegalArgumentException("scales of type " + element);
        }
    }

    private static int width(Rows rows) {
        return rows.code().simd().width();
    }

    /** While {@code read} is written, rows are those of the scales. Needs R8, and scales in rows of their own. */
    static void beside(Rows rows, Runnable read) {
        Assembler to = rows.code().to();
        to.mov(COUNT, Register.RAX);
        strides(to, SCALE_BYTES);
        rows.point(AT_SCALES);
        read.run();
        strides(to, ROW_BYTES);
        rows.point(COUNT);
    }

    /** Scales in rows of their own go on by {@code bytes}. */
    static void pass(Rows rows, int bytes) {
        rows.code().to().add(AT_SCALES, bytes);
    }

    /** Scales in rows of their own are those of the next group of rows. */
    static void nextRows(Rows rows) {
        Assembler to = rows.code().to();
        strides(to, SCALE_BYTES);
        to.mov(Register.RAX, size(SCALES));
        rows.next(Register.RAX);
        to.store(size(SCALES), Register.RAX);
        strides(to, ROW_BYTES);
    }

    private static void strides(Assembler to, int position) {
        to.mov(RowPointers.STRIDE, size(position));
        to.lea(RowPointers.STRIDES3, At.of(RowPointers.STRIDE, RowPointers.STRIDE, 2, 0));
    }
}
