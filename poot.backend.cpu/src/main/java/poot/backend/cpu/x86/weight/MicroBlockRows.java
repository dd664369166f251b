package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPMINUB;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VPSRLD;
import static poot.backend.cpu.x86.Instruction.VPSUBD;
import static poot.backend.cpu.x86.Instruction.VPXOR;

import poot.backend.cpu.x86.Assembler;

/**
 * NVFP4: 64 elements in four groups: four scales of unsigned E4M3, then for every group eight bytes of E2M1, the lower nibbles
 * first. Codes are those of {@link MicroRows}, so scales are halved; of scales 0x7F is 0, and elsewhere bit 7 is ignored.
 */
final class MicroBlockRows implements StoredRows {
    private static final int CODES = 4;

    @Override
    public Layout layout() {
        return Layout.codes(16, MicroRows.OFFSET, Layout.natural(4));
    }

    @Override
    public int stepBytes() {
        return 36;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public int scratch() {
        return 4;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        scales(rows);
        rows.code().table(VMOVUPS, rows.kept, Assembler.NONE, MicroRows.LEVELS);
        for (int pair = 0; pair < 2; pair++) {
            rows.quads(CODES + 16 * pair);
            for (int part = 0; part < 2; part++) {
                int group = 2 * pair + part;
                sink.begin(group);
                for (int i = 0; i < 2; i++) {
                    Codes.named(rows, sink, group, i, 2 + i, rows.quads + 2 * part + i, rows.kept);
                }
                sink.end(group, rows.take(group, rows.scales), -1);
            }
        }
    }

    /** Half the groups' scales, as F32, in the scratch: a scale's seven bits are those of an F16 256 times smaller. */
    private static void scales(Rows rows) {
        rows.quads(0);
        int q = rows.quads;
        rows.code().constant(VPXOR, rows.work, q, 0x7F7F7F7F);
        rows.code().table(VPMINUB, rows.work, rows.work, Codes.words(0x0101));
        rows.shift(VPSLLD, 6, rows.free, rows.work, 8);
        rows.code().op(VPSUBD, rows.free, rows.free, rows.work);
        rows.code().op(VPAND, q, q, rows.free);
        for (int group = 0; group < 4; group++) {
            if (group == 0) {
                rows.shift(VPSLLD, 6, rows.work, q, 7);
            } else {
                rows.shift(VPSRLD, 2, rows.work, q, 8 * group - 7);
            }
            rows.code().constant(VPAND, rows.work, rows.work, 0x7F << 7);
            rows.half(rows.work, rows.scales);
            rows.code().constant(VMULPS, rows.scales, rows.scales, Float.floatToRawIntBits(128));
            rows.keep(group, rows.scales);
        }
    }
}
