package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPSHUFB;

import poot.api.graph.ElementType;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.Register;

/**
 * GPTQ: of every row eight elements in a word, the first in the lowest nibble; a line holds a word of each row.
 *
 * @param groups groups of a step, all under one scale
 * @param scale  how the scales are stored
 * @param more   what is added to each stored zero point
 */
record GptqRows(int groups, ElementType scale, int more) implements StoredRows {
    private static final int[] ORDER = {0, 1, 2, 3, 4, 5, 6, 7};
    private static final byte[] LOWER = words(0);
    private static final byte[] UPPER = words(2);

    /** Takes two bytes of every four, from {@code first} on, as words. */
    private static byte[] words(int first) {
        byte[] take = new byte[16];
        for (int i = 0; i < 16; i += 2) {
            take[i] = (byte) (i / 4 * 4 + first + i % 4 / 2);
            take[i + 1] = (byte) 0x80;
        }
        return take;
    }

    @Override
    public Layout layout() {
        return Layout.minimums(32, groups);
    }

    @Override
    public int stepBytes() {
        return 0;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public boolean apart() {
        return true;
    }

    @Override
    public void begin(Rows rows, Register first) {
        Columns.begin(rows, first);
    }

    @Override
    public void advance(Rows rows) {
        Parts.advance(rows);
    }

    @Override
    public void next(Rows rows, Register first) {
        Columns.next(rows, first, rows.code().simd().width(), scale.bytes());
    }

    @Override
    public void step(Rows rows, Sink sink) {
        int scales = rows.kept;
        int minimums = rows.kept + 1;
        Parts.scales(rows, scale, scales);
        Columns.minimums(rows, ORDER, more, scales, minimums);
        for (int group = 0; group < groups; group++) {
            sink.begin(group);
            for (int i = 0; i < 4; i++) {
                rows.code().to().op(
                        VMOVUPS, rows.code().simd().width(), rows.quads, Assembler.NONE, Columns.line(rows, i));
                four(rows, sink, group, 4 * i, rows.quads, LOWER);
                four(rows, sink, group, 4 * i + 2, rows.quads, UPPER);
            }
            Columns.down(rows);
            sink.end(group, scales, minimums);
        }
    }

    /** Two units of the bytes that {@code take} makes words. */
    private static void four(Rows rows, Sink sink, int group, int unit, int word, byte[] take) {
        rows.code().table(VPSHUFB, rows.scales, word, take);
        rows.code().constant(VPAND, rows.work, rows.scales, 0x000F000F);
        sink.unit(group, unit, rows.work);
        Codes.right(rows, rows.work, rows.scales, 4);
        sink.unit(group, unit + 1, rows.work);
    }
}
