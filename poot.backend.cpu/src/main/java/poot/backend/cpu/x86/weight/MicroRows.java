package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VPADDD;
import static poot.backend.cpu.x86.Instruction.VPMAXSD;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VPSUBD;

import poot.backend.cpu.x86.Assembler;

/**
 * MXFP4: the exponent of a power of two, biased by 127, then 32 nibbles of E2M1 laid out as in {@link NibbleRows}. Codes are
 * twice the values plus 12; the scale is half the power: 2 to the exponent less 128, a subnormal for 0 and 1.
 */
final class MicroRows implements StoredRows {
    /** Twice the values of E2M1, plus 12; a negative zero is zero. */
    static final byte[] LEVELS = {12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0};
    /** What was added to them. */
    static final int OFFSET = 12;

    @Override
    public Layout layout() {
        return Layout.codes(32, OFFSET, Layout.natural(1));
    }

    @Override
    public int stepBytes() {
        return 17;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        rows.code().table(VMOVUPS, rows.kept, Assembler.NONE, LEVELS);
        sink.begin(0);
        rows.quads(1);
        for (int i = 0; i < 4; i++) {
            Codes.named(rows, sink, 0, i, 4 + i, rows.quads + i, rows.kept);
        }
        rows.bytes(0, rows.scales);
        power(rows);
        sink.end(0, rows.scales, -1);
    }

    /** scales = 2 to the integers there less 128: bits (e - 1) · 2²³, or (e + 1) · 2²¹ where that is more, of 0 and 1. */
    static void power(Rows rows) {
        rows.code().constant(VPADDD, rows.work, rows.scales, 1);
        rows.shift(VPSLLD, 6, rows.work, rows.work, 21);
        rows.code().constant(VPSUBD, rows.scales, rows.scales, 1);
        rows.shift(VPSLLD, 6, rows.scales, rows.scales, 23);
        rows.code().op(VPMAXSD, rows.scales, rows.scales, rows.work);
    }
}
