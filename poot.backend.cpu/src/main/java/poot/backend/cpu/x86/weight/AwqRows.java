package poot.backend.cpu.x86.weight;

import poot.api.graph.ElementType;
import poot.backend.cpu.x86.Register;

/**
 * AWQ: a line holds one element of every row, eight rows to a word; of those the even ones come first.
 *
 * @param groups of 32 elements, of a step, all under one scale
 * @param scale  how the scales are stored
 */
record AwqRows(int groups, ElementType scale) implements StoredRows {
    private static final int[] ORDER = {0, 4, 1, 5, 2, 6, 3, 7};

    @Override
    public Layout layout() {
        return Layout.floats(DenseFormat.GROUP, 2 * groups);
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
        Columns.scale(rows, scale, ORDER, 0);
        for (int line = 0; line < 32 * groups; line++) {
            int words = Columns.lines(rows) + line % 4;
            Columns.words(rows, Columns.line(line % 4), words);
            Columns.nibbles(rows, ORDER, words, words);
            Columns.unit(rows, sink, line / DenseFormat.GROUP, line % DenseFormat.GROUP, words);
            if (line % 4 == 3) {
                Columns.down(rows);
            }
        }
    }
}
