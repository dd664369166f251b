package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VCVTDQ2PS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPOR;
import static poot.backend.cpu.x86.Instruction.VPSRLD;
import static poot.backend.cpu.x86.Instruction.VPSUBD;

import poot.backend.cpu.x86.Assembler;

/**
 * IQ4_XS: 256 elements in eight groups of {@link LevelRows}' levels: the F16 scale of the block, two bytes of the upper two
 * bits of the groups' scales, four of their lower four; scales are less 32.
 */
final class LevelBlockRows implements StoredRows {
    private static final int CODES = 8;

    @Override
    public Layout layout() {
        return Layout.codes(32, LevelRows.OFFSET, Layout.natural(8));
    }

    @Override
    public int stepBytes() {
        return 136;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public int scratch() {
        return 8;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        scales(rows);
        rows.code().table(VMOVUPS, rows.kept, Assembler.NONE, LevelRows.LEVELS);
        for (int group = 0; group < 8; group++) {
            sink.begin(group);
            rows.quads(CODES + 16 * group);
            for (int i = 0; i < 4; i++) {
                Codes.named(rows, sink, group, i, 4 + i, rows.quads + i, rows.kept);
            }
            sink.end(group, rows.take(group, rows.scales), -1);
        }
    }

    /** The groups' scales, as F32, in the scratch. */
    private static void scales(Rows rows) {
        rows.quads(0);
        rows.half(rows.quads, rows.scales);
        for (int group = 0; group < 8; group++) {
            rows.shift(VPSRLD, 2, rows.work, rows.quads, 12 + 2 * group);
            rows.code().constant(VPAND, rows.work, rows.work, 0x30);
            rows.shift(VPSRLD, 2, rows.free, rows.quads + 1, 4 * group);
            rows.code().constant(VPAND, rows.free, rows.free, 0xF);
            rows.code().op(VPOR, rows.work, rows.work, rows.free);
            rows.code().constant(VPSUBD, rows.work, rows.work, 32);
            rows.code().op(VCVTDQ2PS, rows.work, Assembler.NONE, rows.work);
            rows.code().op(VMULPS, rows.work, rows.work, rows.scales);
            rows.keep(group, rows.work);
        }
    }
}
