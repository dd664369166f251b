package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VCVTDQ2PS;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPMULHUW;
import static poot.backend.cpu.x86.Instruction.VPSHUFB;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VPSRLD;
import static poot.backend.cpu.x86.Instruction.VPSRLW;

import poot.backend.cpu.x86.Assembler;

/** Bytes and nibbles of four elements in a lane, as the pairs of 16-bit units that products read. */
final class Codes {
    private static final byte[] MIDDLE_EXCHANGED = {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15};

    private Codes() {}

    /** The four bytes in each lane of {@code quad}, elements 4 · {@code index} on of a group. */
    static void bytes(Rows rows, Sink sink, int group, int index, int quad) {
        if (sink.fours()) {
            sink.four(group, index, quad);
            return;
        }
        rows.code().constant(VPAND, rows.work, quad, 0x00FF00FF);
        sink.unit(group, 2 * index, rows.work);
        right(rows, rows.work, quad, 8);
        sink.unit(group, 2 * index + 1, rows.work);
    }

    /** The lower nibbles of {@code quad}. */
    static void lower(Rows rows, Sink sink, int group, int index, int quad) {
        if (sink.fours()) {
            rows.code().constant(VPAND, rows.work, quad, 0x0F0F0F0F);
            sink.four(group, index, rows.work);
            return;
        }
        rows.code().constant(VPAND, rows.work, quad, 0x000F000F);
        sink.unit(group, 2 * index, rows.work);
        right(rows, rows.work, quad, 8);
        rows.code().constant(VPAND, rows.work, rows.work, 0x000F000F);
        sink.unit(group, 2 * index + 1, rows.work);
    }

    /** The upper nibbles of {@code quad}. */
    static void upper(Rows rows, Sink sink, int group, int index, int quad) {
        right(rows, rows.work, quad, 4);
        if (sink.fours()) {
            rows.code().constant(VPAND, rows.work, rows.work, 0x0F0F0F0F);
            sink.four(group, index, rows.work);
            return;
        }
        rows.code().constant(VPAND, rows.work, rows.work, 0x000F000F);
        sink.unit(group, 2 * index, rows.work);
        right(rows, rows.work, quad, 12);
        sink.unit(group, 2 * index + 1, rows.work);
    }

    /**
     * Nibbles of {@code quad} with higher bits from {@code bits}, whose bit {@code bit} of every byte becomes bit 4.
     * Overwrites the minimums.
     *
     * @param upper whether the upper nibbles
     * @param mask  the higher bits, in a byte
     */
    static void wider(Rows rows, Sink sink, int group, int index, int quad, boolean upper, int bits, int bit, int mask) {
        int low = quad;
        if (upper) {
            right(rows, rows.work, quad, 4);
            low = rows.work;
        }
        joined(rows, sink, group, index, low, 0x0F, bits, bit - 4, mask);
    }

    /** Elements are the bytes of {@code low} under a mask with those of {@code bits}, shifted right, under another. */
    private static void joined(Rows rows, Sink sink, int group, int index, int low, int lowMask, int bits, int by, int mask) {
        int codes = rows.minimums;
        int from = bits;
        if (by != 0) {
            place(rows, codes, bits, by);
            from = codes;
        }
        rows.code().join(codes, low, lowMask * 0x01010101, from, mask * 0x01010101, rows.work);
        bytes(rows, sink, group, index, codes);
    }

    /**
     * The bytes that the nibbles of {@code quad} name among the sixteen of each 128 bits of {@code table}: those of the lower
     * are elements 4 · {@code lower} on of a group, of the upper 4 · {@code upper} on. Overwrites the quad and the scales.
     */
    static void named(Rows rows, Sink sink, int group, int lower, int upper, int quad, int table) {
        int named = rows.scales;
        rows.code().constant(VPAND, named, quad, 0x0F0F0F0F);
        rows.code().op(VPSHUFB, named, table, named);
        bytes(rows, sink, group, lower, named);
        right(rows, quad, quad, 4);
        rows.code().constant(VPAND, quad, quad, 0x0F0F0F0F);
        rows.code().op(VPSHUFB, quad, table, quad);
        bytes(rows, sink, group, upper, quad);
    }

    /**
     * The bytes that the nibbles of {@code quad} name, of eight elements, 8 · {@code index} on of a group, whose adjacent ones
     * share a byte. Overwrites the quad and the scales.
     */
    static void adjacent(Rows rows, Sink sink, int group, int index, int quad, int table) {
        rows.code().table(VPSHUFB, quad, quad, MIDDLE_EXCHANGED);
        rows.code().constant(VPAND, rows.scales, quad, 0x0F0F0F0F);
        right(rows, quad, quad, 4);
        rows.code().constant(VPAND, quad, quad, 0x0F0F0F0F);
        for (int odd = 0; odd < 2; odd++) {
            int named = odd == 0 ? rows.scales : quad;
            rows.code().op(VPSHUFB, named, table, named);
            rows.code().constant(VPAND, rows.work, named, 0x00FF00FF);
            sink.unit(group, 4 * index + odd, rows.work);
            right(rows, rows.work, named, 8);
            sink.unit(group, 4 * index + 2 + odd, rows.work);
        }
    }

    /** Fields of two bits of the bytes of {@code quad}, as {@link #bytes} for bytes; the field begins at bit {@code bit}. */
    static void pairs(Rows rows, Sink sink, int group, int index, int quad, int bit) {
        int low = quad;
        if (bit != 0) {
            right(rows, rows.work, quad, bit);
            low = rows.work;
        }
        rows.code().constant(VPAND, rows.work, low, 0x00030003);
        sink.unit(group, 2 * index, rows.work);
        right(rows, rows.work, quad, bit + 8);
        rows.code().constant(VPAND, rows.work, rows.work, 0x00030003);
        sink.unit(group, 2 * index + 1, rows.work);
    }

    /** {@link #pairs} with a third bit each: bit {@code third} of the bytes of {@code bits}. Overwrites the minimums. */
    static void third(Rows rows, Sink sink, int group, int index, int quad, int bit, int bits, int third) {
        int low = quad;
        if (bit != 0) {
            right(rows, rows.work, quad, bit);
            low = rows.work;
        }
        joined(rows, sink, group, index, low, 0x03, bits, third - 2, 0x04);
    }

    /**
     * work = byte {@code at} of every lane of {@code from} shifted right by {@code low} in the lower 16 bits and by
     * {@code high} in the upper, both masked by {@code mask}. Shifts may be -7 to 8.
     */
    static void apart(Rows rows, int from, int at, int low, int high, int mask) {
        byte[] take = new byte[16];
        byte[] by = new byte[16];
        for (int lane = 0; lane < 16; lane += 4) {
            take[lane] = (byte) 0x80;
            take[lane + 1] = (byte) (lane + at);
            take[lane + 2] = (byte) 0x80;
            take[lane + 3] = (byte) (lane + at);
            word(by, lane, 1 << 8 - low);
            word(by, lane + 2, 1 << 8 - high);
        }
        rows.code().table(VPSHUFB, rows.work, from, take);
        rows.code().table(VPMULHUW, rows.work, rows.work, by);
        rows.code().constant(VPAND, rows.work, rows.work, mask << 16 | mask);
    }

    private static void word(byte[] to, int at, int value) {
        to[at] = (byte) value;
        to[at + 1] = (byte) (value >>> 8);
    }

    /** Sixteen bytes that hold one word eight times. */
    static byte[] words(int value) {
        byte[] sixteen = new byte[16];
        for (int i = 0; i < 16; i += 2) {
            word(sixteen, i, value);
        }
        return sixteen;
    }

    /** to = from shifted right by {@code by}, or left by its opposite. */
    private static void place(Rows rows, int to, int from, int by) {
        rows.shift(VPSRLW, by >= 0 ? 2 : 6, to, from, Math.abs(by));
    }

    /** Four numbers of {@code quad}'s lanes, of the bits {@code mask} from bit {@code bit} of each byte on, as {@link #scaled}. */
    static void scaled(Rows rows, int at, int quad, int bit, int mask, int by, int free) {
        for (int i = 0; i < 4; i++) {
            rows.shift(VPSRLD, 2, free, quad, 8 * i + bit);
            rows.code().constant(VPAND, free, free, mask);
            product(rows, at + i, free, by);
        }
    }

    /** Vectors {@code at} to at + 3 of the scratch = the unsigned bytes of {@code quad}'s lanes times {@code by}. */
    static void scaled(Rows rows, int at, int quad, int by, int free) {
        for (int i = 0; i < 4; i++) {
            switch (i) {
                case 0 -> rows.code().constant(VPAND, free, quad, 0xFF);
                case 3 -> rows.shift(VPSRLD, 2, free, quad, 24);
                default -> rows.code().table(VPSHUFB, free, quad, byteOf(i));
            }
            product(rows, at + i, free, by);
        }
    }

    /** Takes byte {@code i} of every lane, zeros above it. */
    private static byte[] byteOf(int i) {
        byte[] take = new byte[16];
        for (int at = 0; at < 16; at++) {
            take[at] = (byte) (at % 4 == 0 ? at + i : 0x80);
        }
        return take;
    }

    /** The same with signed bytes. */
    static void scaledSigned(Rows rows, int at, int quad, int by, int free) {
        for (int i = 0; i < 4; i++) {
            int from = quad;
            if (i < 3) {
                rows.shift(VPSLLD, 6, free, quad, 24 - 8 * i);
                from = free;
            }
            rows.shift(VPSRLD, 4, free, from, 24);
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
