package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VCVTDQ2PS;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPADDD;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPBROADCASTD;
import static poot.backend.cpu.x86.Instruction.VPBROADCASTQ;
import static poot.backend.cpu.x86.Instruction.VPSHUFB;
import static poot.backend.cpu.x86.Instruction.VPSRLVD;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Register;

/**
 * Weights whose rows lie side by side, so that one read takes something of every lane's row: RAX goes down them. Of eight
 * rows the nibbles share a word, in an order that differs between formats.
 */
final class Columns {
    /** Rows of a word. */
    static final int WORD = 8;

    private static final int LINE = 64;
    private static final Register AT = Register.RAX;

    private Columns() {}

    /** Points at the first line of the rows. */
    static void begin(Rows rows, Register first) {
        rows.code().to().mov(AT, first);
        Parts.begin(rows);
    }

    /** Number {@code index} of the four lines that are next. What lies behind it, for the next rows, is asked for. */
    static At line(Rows rows, int index) {
        rows.code().to().prefetch(line(index, LINE));
        return line(index, 0);
    }

    private static At line(int index, int at) {
        return switch (index) {
            case 0 -> At.of(AT, at);
            case 1 -> At.of(AT, Rows.STRIDE, 1, at);
            case 2 -> At.of(AT, Rows.STRIDE, 2, at);
            default -> At.of(AT, Rows.STRIDES3, 1, at);
        };
    }

    /** Goes down by four lines. */
    static void down(Rows rows) {
        rows.code().to().lea(AT, At.of(AT, Rows.STRIDE, 4, 0));
    }

    /** to = the words at {@code at} that hold a nibble for every lane: one, or two in turns. */
    static void words(Rows rows, At at, int to) {
        boolean wide = rows.code().simd().wide();
        rows.code().to().op(wide ? VPBROADCASTQ : VPBROADCASTD, rows.code().simd().width(), to, Assembler.NONE, at);
    }

    /**
     * Every lane's nibble of {@code from}, which holds its words repeated, to the lower 16 bits of the lane, and to the upper
     * that of the words {@code beside} bytes further; the other bits are cleared.
     *
     * @param order  where in a word the nibbles of eight rows are
     * @param beside 0 where the upper bits are to be 0
     */
    static void nibbles(Rows rows, int[] order, int to, int from, int beside) {
        int lanes = rows.code().simd().lanes();
        int[] bytes = new int[lanes];
        int[] shifts = new int[lanes];
        for (int lane = 0; lane < lanes; lane++) {
            int nibble = order[lane % WORD];
            int at = lane / WORD * 4 + nibble / 2;
            bytes[lane] = 0x80008000 | (beside == 0 ? 0x80 : at + beside) << 16 | at;
            shifts[lane] = 4 * (nibble % 2);
        }
        rows.code().vector(VPSHUFB, to, from, bytes);
        rows.code().vector(VPSRLVD, to, to, shifts);
        rows.code().constant(VPAND, to, to, 0x000F000F);
    }

    /** to = scale · (the zero point of every lane + {@code more}). */
    static void minimums(Rows rows, int[] order, int more, int scales, int to) {
        words(rows, Parts.zeros(), to);
        nibbles(rows, order, to, to, 0);
        if (more != 0) {
            rows.code().constant(VPADDD, to, to, more);
        }
        rows.code().op(VCVTDQ2PS, to, Assembler.NONE, to);
        rows.code().op(VMULPS, to, to, scales);
    }

    /** The parts of the rows behind those of the lanes: a line goes on by {@code bytes}. */
    static void next(Rows rows, Register first, int bytes, int scaleBytes) {
        int lanes = rows.code().simd().lanes();
        rows.code().to().add(first, bytes);
        Parts.next(rows, Parts.SCALES, lanes * scaleBytes);
        Parts.next(rows, Parts.ZEROS, lanes / 2);
    }
}
