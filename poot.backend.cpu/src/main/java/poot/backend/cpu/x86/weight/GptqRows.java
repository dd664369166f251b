package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VPSRLD;

import poot.api.graph.ElementType;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.Register;

/**
 * GPTQ: of every row eight elements in a word, the first in the lowest nibble; a line holds a word of each row.
 *
 * @param groups of 32 elements, of a step, all under one scale
 * @param scale  how the scales are stored
 * @param more   what is added to each stored zero point
 */
record GptqRows(int groups, ElementType scale, int more) implements StoredRows {
    private static final int[] ORDER = {0, 1, 2, 3, 4, 5, 6, 7};

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
        Columns.next(rows, first, rows.code().simd().width(), scale.bytes());
    }

    @Override
    public void step(Rows rows, Sink sink) {
        Columns.scale(rows, scale, ORDER, more);
        for (int line = 0; line < 4 * groups; line++) {
            int word = Columns.lines(rows) + line % 4;
            Columns.ask(rows, line % 4);
            rows.code().to().op(VMOVUPS, rows.code().simd().width(), word, Assembler.NONE, Columns.line(line % 4));
            for (int i = 0; i < Columns.WORD; i++) {
                if (i > 0) {
                    rows.shift(VPSRLD, 2, word, word, 4);
                }
                Columns.unit(rows, sink, line / 2, line % 2 * Columns.WORD + i, word);
            }
            if (line % 4 == 3) {
                Columns.down(rows);
            }
        }
    }
}
