package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPSRLD;

import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.Register;

/**
 * MXFP4 in two parts: rows of codes whose adjacent elements share a byte, and rows of exponents; the codes' levels and scales
 * are those of {@link MicroRows}.
 *
 * @param groups groups of a step: 1, 2 or 4
 */
record PairedRows(int groups) implements StoredRows {
    private static final int GROUP_BYTES = 16;

    @Override
    public Layout layout() {
        return Layout.codes(32, MicroRows.OFFSET, Layout.natural(groups));
    }

    @Override
    public int stepBytes() {
        return groups * GROUP_BYTES;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public int scratch() {
        return groups;
    }

    @Override
    public boolean apart() {
        return true;
    }

    @Override
    public void begin(Rows rows, Register first) {
        rows.point(first);
        Parts.begin(rows);
    }

    @Override
    public void advance(Rows rows) {
        rows.advance(stepBytes());
        Parts.pass(rows, groups);
    }

    @Override
    public void next(Rows rows, Register first) {
        rows.next(first);
        Parts.nextRows(rows);
    }

    @Override
    public void step(Rows rows, Sink sink) {
        int exponents = rows.kept;
        Parts.beside(rows, () -> rows.numbers(0, groups, exponents, rows.work));
        for (int group = 0; group < groups; group++) {
            rows.shift(VPSRLD, 2, rows.scales, exponents, 8 * group);
            rows.code().constant(VPAND, rows.scales, rows.scales, 0xFF);
            MicroRows.power(rows);
            rows.keep(group, rows.scales);
        }
        rows.code().table(VMOVUPS, rows.kept, Assembler.NONE, MicroRows.LEVELS);
        for (int group = 0; group < groups; group++) {
            sink.begin(group);
            rows.quads(GROUP_BYTES * group);
            for (int i = 0; i < 4; i++) {
                Codes.adjacent(rows, sink, group, i, rows.quads + i, rows.kept);
            }
            sink.end(group, rows.take(group, rows.scales), -1);
        }
    }
}
