package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VCVTPH2PS;
import static poot.backend.cpu.x86.Instruction.VEXTRACTI128;
import static poot.backend.cpu.x86.Instruction.VEXTRACTI64X4;

import poot.backend.cpu.x86.Assembler;

/** F16. */
final class HalfRows implements StoredRows {
    @Override
    public Layout layout() {
        return Layout.floats(FloatRows.GROUP, 2);
    }

    @Override
    public int stepBytes() {
        return FloatRows.LINE;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        boolean wide = rows.code().simd().wide();
        rows.line((number, index, count) -> {
            int pairs = rows.halves(index, count);
            for (int i = 0; i < 4; i++) {
                int unit = 8 * (number % 2) + 2 * i;
                rows.code().op(VCVTPH2PS, rows.work, Assembler.NONE, pairs + i);
                sink.unit(number / 2, unit, rows.work);
                rows.code().to().op(
                        wide ? VEXTRACTI64X4 : VEXTRACTI128, rows.code().simd().width(), pairs + i, Assembler.NONE, rows.work, 1);
                rows.code().op(VCVTPH2PS, rows.work, Assembler.NONE, rows.work);
                sink.unit(number / 2, unit + 1, rows.work);
            }
        });
    }
}
