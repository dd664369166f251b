package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPUNPCKLDQ;
import static poot.backend.cpu.x86.Instruction.VPUNPCKLQDQ;

import poot.api.graph.ElementType;
import poot.backend.cpu.x86.Register;

/**
 * AWQ: a line holds one element of every row, eight rows to a word; of those the even ones come first.
 *
 * @param groups groups of a step, all under one scale
 * @param scale  how the scales are stored
 */
record AwqRows(int groups, ElementType scale) implements StoredRows {
    private static final int[] ORDER = {0, 4, 1, 5, 2, 6, 3, 7};

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
        Columns.next(rows, first, rows.code().simd().lanes() / 2, scale.bytes());
    }

    @Override
    public void step(Rows rows, Sink sink) {
        int scales = rows.kept;
        int minimums = rows.kept + 1;
        Parts.scales(rows, scale, scales);
        Columns.minimums(rows, ORDER, 0, scales, minimums);
        for (int group = 0; group < groups; group++) {
            sink.begin(group);
            for (int quad = 0; quad < 8; quad++) {
                for (int i = 0; i < 4; i++) {
                    Columns.words(rows, Columns.line(rows, i), rows.quads + i);
                }
                Columns.down(rows);
                pair(rows, sink, group, 2 * quad, rows.quads);
                pair(rows, sink, group, 2 * quad + 1, rows.quads + 1);
            }
            sink.end(group, scales, minimums);
        }
    }

    /** The unit of the elements in {@code first} and first + 2. */
    private static void pair(Rows rows, Sink sink, int group, int unit, int first) {
        boolean wide = rows.code().simd().wide();
        rows.code().op(wide ? VPUNPCKLQDQ : VPUNPCKLDQ, rows.work, first, first + 2);
        Columns.nibbles(rows, ORDER, rows.work, rows.work, wide ? 8 : 4);
        sink.unit(group, unit, rows.work);
    }
}
