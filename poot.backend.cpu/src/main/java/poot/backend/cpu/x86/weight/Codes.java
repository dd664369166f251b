package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VCVTDQ2PS;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPOR;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VPSRLD;
import static poot.backend.cpu.x86.Instruction.VPSRLW;

import poot.backend.cpu.x86.Assembler;

/** Bytes and nibbles of four elements in a lane, as the pairs of 16-bit units that products read. */
final class Codes {
    private Codes() {}

    /** The four bytes in each lane of {@code quad}, elements 4 · {@code index} on of a group. */
    static void bytes(Rows rows, Sink sink, int group, int index, int quad) {
        rows.code().constant(VPAND, rows.work, quad, 0x00FF00FF);
        sink.unit(group, 2 * index, rows.work);
        right(rows, rows.work, quad, 8);
        sink.unit(group, 2 * index + 1, rows.work);
    }

    /** The lower nibbles of {@code quad}. */
    static void lower(Rows rows, Sink sink, int group, int index, int quad) {
        rows.code().constant(VPAND, rows.work, quad, 0x000F000F);
        sink.unit(group, 2 * index, rows.work);
        right(rows, rows.work, quad, 8);
        rows.code().constant(VPAND, rows.work, rows.work, 0x000F000F);
        sink.unit(group, 2 * index + 1, rows.work);
    }

    /** The upper nibbles of {@code quad}. */
    static void upper(Rows rows, Sink sink, int group, int index, int quad) {
        right(rows, rows.work, quad, 4);
        rows.code().constant(VPAND, rows.work, rows.work, 0x000F000F);
        sink.unit(group, 2 * index, rows.work);
        right(rows, rows.work, quad, 12);
        sink.unit(group, 2 * index + 1, rows.work);
    }

    /**
     * Nibbles of {@code quad} with higher bits from {@code bits}, whose bit {@code bit} of every byte becomes bit 4.
     *
     * @param upper whether the upper nibbles
     * @param mask  the higher bits, in a byte
     * @param unit  the first of two units
     */
    static void wider(Rows rows, Sink sink, int group, int unit, int quad, boolean upper, int bits, int bit, int mask) {
        int both = mask << 16 | mask;
        place(rows, rows.free, bits, bit - 4);
        rows.code().constant(VPAND, rows.free, rows.free, both);
        right(rows, rows.work, quad, upper ? 4 : 0);
        rows.code().constant(VPAND, rows.work, rows.work, 0x000F000F);
        rows.code().op(VPOR, rows.work, rows.work, rows.free);
        sink.unit(group, unit, rows.work);
        right(rows, rows.free, bits, bit + 4);
        rows.code().constant(VPAND, rows.free, rows.free, both);
        right(rows, rows.work, quad, upper ? 12 : 8);
        rows.code().constant(VPAND, rows.work, rows.work, 0x000F000F);
        rows.code().op(VPOR, rows.work, rows.work, rows.free);
        sink.unit(group, unit + 1, rows.work);
    }

    /** to = from shifted right by {@code by}, or left by its opposite. */
    private static void place(Rows rows, int to, int from, int by) {
        rows.shift(VPSRLW, by >= 0 ? 2 : 6, to, from, Math.abs(by));
    }

    /** Vectors {@code at} to at + 3 of the scratch = the unsigned bytes of {@code quad}'s lanes times {@code by}. */
    static void scaled(Rows rows, int at, int quad, int by, int free) {
        for (int i = 0; i < 4; i++) {
            rows.shift(VPSRLD, 2, free, quad, 8 * i);
            rows.code().constant(VPAND, free, free, 0xFF);
            product(rows, at + i, free, by);
        }
    }

    /** The same with signed bytes. */
    static void scaledSigned(Rows rows, int at, int quad, int by, int free) {
        for (int i = 0; i < 4; i++) {
            rows.shift(VPSLLD, 6, free, quad, 24 - 8 * i);
            rows.shift(VPSRLD, 4, free, free, 24);
            product(rows, at + i, free, by);
        }
    }

    private static void product(Rows rows, int at, int integers, int by) {
        rows.code().op(VCVTDQ2PS, integers, Assembler.NONE, integers);
        rows.code().op(VMULPS, integers, integers, by);
        rows.keep(at, integers);
    }

    /** to = 16-bit numbers of {@code from} shifted right, zeros coming in. */
    static void right(Rows rows, int to, int from, int by) {
        rows.code().to().shift(VPSRLW, rows.code().simd().width(), 2, to, from, by);
    }
}
