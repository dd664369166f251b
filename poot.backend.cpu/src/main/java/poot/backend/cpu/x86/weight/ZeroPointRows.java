package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPADDD;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPSHUFB;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VPSRLD;

import poot.api.graph.ElementType;

/**
 * Nibbles less a zero point, as {@link Regrouping} writes the rows of GPTQ and AWQ: a scale, {@link #OFFSET} less the zero point,
 * then of each eight elements a word, the first in the lowest nibble. With activations of sixteen bits the logits of small models
 * would be off by more than their bound, so that these are {@linkplain Layout#fine fine}: 16 · 32 · 2²¹ is still exact in 32 bits.
 *
 * @param groups of 32 elements, of a step, all under one scale
 * @param scale  how the scales are stored
 */
record ZeroPointRows(int groups, ElementType scale) implements StoredRows {
    /** What is added to a code before its zero point, 0 to 16, is subtracted. */
    static final int OFFSET = 16;
    /** Elements of a group. */
    static final int GROUP = 32;
    /** Elements of a word. */
    static final int WORD = 8;

    private static final int WORDS = GROUP / WORD;

    @Override
    public Layout layout() {
        return Layout.fine(GROUP, OFFSET, Layout.natural(groups));
    }

    /** Bytes before the words: scale and zero point share one, unless the scale fills it. */
    int headBytes() {
        return scale == ElementType.F32 ? 8 : 4;
    }

    @Override
    public int stepBytes() {
        return headBytes() + 4 * WORDS * groups;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        head(rows);
        for (int group = 0; group < groups; group++) {
            rows.quads(headBytes() + 4 * WORDS * group);
            if (sink.wholes()) {
                whole(rows);
                sink.whole(group, rows.quads, rows.kept);
            } else {
                units(rows, sink, group);
            }
        }
    }

    /** Takes the scales, as F32, and the offsets less the zero points, in each byte. */
    private void head(Rows rows) {
        int offsets = offsets(rows);
        rows.numbers(0, 4, rows.kept, rows.work);
        switch (scale) {
            case F16, BF16 -> {
                rows.code().table(VPSHUFB, offsets, rows.kept, everywhere(2));
                if (scale == ElementType.F16) {
                    rows.half(rows.kept, rows.kept);
                } else {
                    rows.shift(VPSLLD, 6, rows.kept, rows.kept, 16);
                }
            }
            case F32 -> {
                rows.numbers(4, 4, offsets, rows.work);
                rows.code().table(VPSHUFB, offsets, offsets, everywhere(0));
            }
            case I32, U32, BOOL, PACKED -> throw new IllegalArgumentException("scales of type " + scale);
        }
    }

    private static int offsets(Rows rows) {
        return rows.kept + 1;
    }

    /** Byte {@code at} of every lane, in all four. */
    private static byte[] everywhere(int at) {
        byte[] take = new byte[16];
        for (int i = 0; i < take.length; i++) {
            take[i] = (byte) (i / 4 * 4 + at);
        }
        return take;
    }

    /** Makes of the four words in registers quads to +3 codes in quads to +7: of each the even elements, then the odd ones. */
    private static void whole(Rows rows) {
        for (int word = WORDS - 1; word >= 0; word--) {
            int from = rows.quads + word;
            int even = rows.quads + 2 * word;
            rows.shift(VPSRLD, 2, even + 1, from, 4);
            codes(rows, even, from);
            codes(rows, even + 1, even + 1);
        }
    }

    private static void codes(Rows rows, int to, int from) {
        rows.code().constant(VPAND, to, from, 0x0F0F0F0F);
        rows.code().op(VPADDD, to, to, offsets(rows));
    }

    private static void units(Rows rows, Sink sink, int group) {
        sink.begin(group);
        for (int word = 0; word < WORDS; word++) {
            int from = rows.quads + word;
            codes(rows, rows.scales, from);
            Codes.bytes(rows, sink, group, 2 * word, rows.scales);
            rows.shift(VPSRLD, 2, from, from, 4);
            codes(rows, rows.scales, from);
            Codes.bytes(rows, sink, group, 2 * word + 1, rows.scales);
        }
        sink.end(group, rows.kept, -1);
    }
}
