package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;

import poot.backend.cpu.x86.Assembler;

/** IQ4_NL: an F16 scale, 32 nibbles that name levels, laid out as in {@link NibbleRows}; the levels are 128 less than here. */
final class LevelRows implements StoredRows {
    /** The levels of IQ4_NL and IQ4_XS, plus 128. */
    static final byte[] LEVELS = {
        1, 24, 45, 63, 79, 93, 106, 118, (byte) 129, (byte) 141, (byte) 153, (byte) 166, (byte) 181, (byte) 197, (byte) 217,
        (byte) 241
    };

    /** What was added to them. */
    static final int OFFSET = 128;

    @Override
    public Layout layout() {
        return Layout.codes(32, OFFSET, Layout.natural(1));
    }

    @Override
    public int stepBytes() {
        return 18;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        rows.code().table(VMOVUPS, rows.kept, Assembler.NONE, LEVELS);
        sink.begin(0);
        rows.quads(2);
        for (int i = 0; i < 4; i++) {
            Codes.named(rows, sink, 0, i, 4 + i, rows.quads + i, rows.kept);
        }
        rows.half(0, rows.scales, rows.free);
        sink.end(0, rows.scales, -1);
    }
}
