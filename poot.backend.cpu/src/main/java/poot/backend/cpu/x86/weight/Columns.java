package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VCVTDQ2PS;
import static poot.backend.cpu.x86.Instruction.VFMADD213PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPADDD;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPBROADCASTD;
import static poot.backend.cpu.x86.Instruction.VPBROADCASTQ;
import static poot.backend.cpu.x86.Instruction.VPERMPS;
import static poot.backend.cpu.x86.Instruction.VPSHUFB;
import static poot.backend.cpu.x86.Instruction.VPSRLVD;
import static poot.backend.cpu.x86.Instruction.VPXOR;

import java.util.stream.IntStream;
import poot.api.graph.ElementType;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Register;

/**
 * Weights whose rows lie side by side, so that one read takes something of every lane's row: RAX goes down them. Of eight
 * rows the nibbles share a word, in an order that differs between formats. Weights are multiplied as F32: with activations of
 * sixteen bits the logits of small models would be off by more than their bound.
 */
final class Columns {
    /** Rows of a word. */
    static final int WORD = 8;

    private static final Register AT = Register.RAX;
    private static final Register AHEAD = Register.R15;

    private Columns() {}

    /** Points at the first line of the rows. */
    static void begin(Rows rows, Register first) {
        rows.code().to().mov(AT, first);
        rows.code().to().mov(AHEAD, Parts.size(Parts.AHEAD));
        rows.code().to().add(AHEAD, AT);
        Parts.begin(rows);
    }

    /** Number {@code index} of the four lines that are next. */
    static At line(int index) {
        return line(AT, index);
    }

    /** Asks for what is wanted after it. */
    static void ask(Rows rows, int index) {
        rows.code().to().prefetch(line(AHEAD, index));
    }

    private static At line(Register at, int index) {
        return switch (index) {
            case 0 -> At.of(at, 0);
            case 1 -> At.of(at, Rows.STRIDE, 1, 0);
            case 2 -> At.of(at, Rows.STRIDE, 2, 0);
            default -> At.of(at, Rows.STRIDES3, 1, 0);
        };
    }

    /** Goes down by four lines. */
    static void down(Rows rows) {
        rows.code().to().lea(AT, At.of(AT, Rows.STRIDE, 4, 0));
        rows.code().to().lea(AHEAD, At.of(AHEAD, Rows.STRIDE, 4, 0));
    }

    /** to = the words at {@code at} that hold a nibble for every lane: one, or two in turns. */
    static void words(Rows rows, At at, int to) {
        boolean wide = isWide(rows);
        rows.code().to().op(wide ? VPBROADCASTQ : VPBROADCASTD, rows.code().simd().width(), to, Assembler.NONE, at);
    }

    /**
     * to = every lane's nibble of {@code from}, which holds its words repeated, in the lowest bits of the lane; what is above is
     * not cleared.
     *
     * @param order where in a word the nibbles of eight rows are
     */
    static void nibbles(Rows rows, int[] order, int to, int from) {
        int lanes = rows.code().simd().lanes();
        int[] bytes = new int[lanes];
        int[] shifts = new int[lanes];
        for (int lane = 0; lane < lanes; lane++) {
            int nibble = order[lane % WORD];
            bytes[lane] = 0x80808000 | lane / WORD * 4 + nibble / 2;
            shifts[lane] = 4 * (nibble % 2);
        }
        rows.code().vector(VPSHUFB, to, from, bytes);
        rows.code().vector(VPSRLVD, to, to, shifts);
    }

    // ---- registers, of those that sums leave ----

    /** Of four lines. */
    static int lines(Rows rows) {
        return rows.quads;
    }

    /** Of what is made of them. */
    static int work(Rows rows) {
        return rows.work;
    }

    private static int scales(Rows rows) {
        return isWide(rows) ? rows.quads + 4 : rows.scales;
    }

    private static int offsets(Rows rows) {
        return isWide(rows) ? rows.quads + 5 : rows.minimums;
    }

    private static int numbers(Rows rows) {
        return rows.quads + 6;
    }

    private static boolean isWide(Rows rows) {
        return rows.code().simd().wide();
    }

    // ---- decoding ----

    /** Takes the scales of a step, and the zero points with {@code more} added. */
    static void scale(Rows rows, ElementType element, int[] order, int more) {
        int scales = scales(rows);
        int offsets = offsets(rows);
        Parts.scales(rows, element, scales);
        words(rows, Parts.zeros(), offsets);
        nibbles(rows, order, offsets, offsets);
        rows.code().constant(VPAND, offsets, offsets, 15);
        if (more != 0) {
            rows.code().constant(VPADDD, offsets, offsets, more);
        }
        rows.code().op(VCVTDQ2PS, offsets, Assembler.NONE, offsets);
        rows.code().op(VMULPS, offsets, offsets, scales);
        rows.code().constant(VPXOR, offsets, offsets, 0x80000000);
        if (isWide(rows)) {
            rows.code().vector(VMOVUPS, numbers(rows), Assembler.NONE, IntStream.range(0, 16)
                    .map(i -> Float.floatToRawIntBits(i)).toArray());
        }
    }

    /** Gives the sink scale · (the nibble in the lowest bits of every lane of {@code from} - the zero point). */
    static void unit(Rows rows, Sink sink, int group, int unit, int from) {
        int work = work(rows);
        if (isWide(rows)) {
            rows.code().op(VPERMPS, work, from, numbers(rows));
        } else {
            rows.code().constant(VPAND, work, from, 15);
            rows.code().op(VCVTDQ2PS, work, Assembler.NONE, work);
        }
        rows.code().op(VFMADD213PS, work, scales(rows), offsets(rows));
        sink.unit(group, unit, work);
    }

    /** The parts of the rows behind those of the lanes: a line goes on by {@code bytes}. */
    static void next(Rows rows, Register first, int bytes, int scaleBytes) {
        int lanes = rows.code().simd().lanes();
        rows.code().to().add(first, bytes);
        Parts.next(rows, Parts.SCALES, lanes * scaleBytes);
        Parts.next(rows, Parts.ZEROS, lanes / 2);
    }
}
