package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPMINUB;
import static poot.backend.cpu.x86.Instruction.VPOR;
import static poot.backend.cpu.x86.Instruction.VPSHUFB;
import static poot.backend.cpu.x86.Instruction.VPSLLD;


/**
 * Q5_0 and Q5_1: an F16 scale, in Q5_1 an F16 offset, 32 bits of which bit i is the fifth of element i, then nibbles as in
 * {@link NibbleRows}: scale · (code - 16), or scale · code + offset.
 */
final class FifthBitRows implements StoredRows {
    private final boolean offset;

    FifthBitRows(boolean offset) {
        this.offset = offset;
    }

    @Override
    public Layout layout() {
        return offset ? Layout.minimums(32, 1) : Layout.codes(32, 16, Layout.natural(1));
    }

    @Override
    public int stepBytes() {
        return offset ? 24 : 22;
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
        int bits = rows.kept;
        int scale = rows.kept + 1;
        if (offset) {
            rows.numbers(0, 4, scale, rows.free);
            rows.numbers(4, 4, bits, rows.free);
        } else {
            rows.half(0, scale, rows.free);
            rows.numbers(2, 4, bits, rows.free);
        }
        sink.begin(0);
        rows.quads(offset ? 8 : 6);
        for (int i = 0; i < 4; i++) {
            fifth(rows, bits, i);
            rows.code().constant(VPAND, rows.free, rows.quads + i, 0x0F0F0F0F);
            rows.code().op(VPOR, rows.scales, rows.scales, rows.free);
            Codes.bytes(rows, sink, 0, i, rows.scales);
            fifth(rows, bits, 4 + i);
            Codes.right(rows, rows.quads + i, rows.quads + i, 4);
            rows.code().constant(VPAND, rows.quads + i, rows.quads + i, 0x0F0F0F0F);
            rows.code().op(VPOR, rows.quads + i, rows.quads + i, rows.scales);
            Codes.bytes(rows, sink, 0, 4 + i, rows.quads + i);
        }
        if (offset) {
            OffsetRows.end(rows, sink, scale);
        } else {
            sink.end(0, scale, -1);
        }
    }

    /** scales = bits 4 · {@code index} on of every lane of {@code bits}, each the fifth of a byte. */
    private static void fifth(Rows rows, int bits, int index) {
        byte[] take = new byte[16];
        for (int i = 0; i < 16; i++) {
            take[i] = (byte) (i / 4 * 4 + index / 2);
        }
        int from = bits;
        if (index % 2 == 0) {
            rows.shift(VPSLLD, 6, rows.scales, bits, 4);
            from = rows.scales;
        }
        rows.code().table(VPSHUFB, rows.scales, from, take);
        rows.code().constant(VPAND, rows.scales, rows.scales, 0x80402010);
        rows.code().table(VPMINUB, rows.scales, rows.scales, Codes.words(0x1010));
    }
}
