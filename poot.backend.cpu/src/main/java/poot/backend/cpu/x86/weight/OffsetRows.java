package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPSRLD;
import static poot.backend.cpu.x86.Instruction.VPXOR;

/** Q4_1: F16 scale and offset, then nibbles as in {@link NibbleRows}: scale · code + offset. */
final class OffsetRows implements StoredRows {
    @Override
    public Layout layout() {
        return Layout.minimums(32, 1);
    }

    @Override
    public int stepBytes() {
        return 20;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public boolean fours() {
        return true;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        sink.begin(0);
        rows.quads(4);
        for (int i = 0; i < 4; i++) {
            Codes.lower(rows, sink, 0, i, rows.quads + i);
            Codes.upper(rows, sink, 0, 4 + i, rows.quads + i);
        }
        rows.quads(0);
        end(rows, sink, rows.quads);
    }

    /** Ends a group whose scale is the lower half of the lanes of {@code both}, its offset the upper. */
    static void end(Rows rows, Sink sink, int both) {
        rows.half(both, rows.scales);
        rows.shift(VPSRLD, 2, both, both, 16);
        rows.half(both, rows.minimums);
        rows.code().constant(VPXOR, rows.minimums, rows.minimums, 0x80000000);
        sink.end(0, rows.scales, rows.minimums);
    }
}
