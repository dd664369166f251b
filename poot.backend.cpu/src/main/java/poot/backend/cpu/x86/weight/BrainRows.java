package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPSLLD;


/** BF16: two elements in every lane, each the upper half of an F32. */
final class BrainRows implements StoredRows {
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
        rows.line((number, index, count) -> {
            int quads = rows.quads(index, count);
            for (int i = 0; i < 4; i++) {
                int unit = 8 * (number % 2) + 2 * i;
                rows.code().to().shift(VPSLLD, rows.code().simd().width(), 6, rows.work, quads + i, 16);
                sink.unit(number / 2, unit, rows.work);
                rows.code().constant(VPAND, rows.work, quads + i, 0xFFFF0000);
                sink.unit(number / 2, unit + 1, rows.work);
            }
        });
    }
}
