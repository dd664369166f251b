package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPXOR;

/** Q8_0: an F16 scale, 32 signed bytes. */
final class ByteRows implements StoredRows {
    @Override
    public Layout layout() {
        return Layout.codes(32, 128, Layout.natural(1));
    }

    @Override
    public int stepBytes() {
        return 34;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        sink.begin(0);
        rows.pieces(2, (piece, quads) -> {
            for (int i = 0; i < 4; i++) {
                rows.code().constant(VPXOR, quads + i, quads + i, 0x80808080);
                Codes.bytes(rows, sink, 0, 4 * piece + i, quads + i);
            }
        });
        rows.half(0, rows.scales, rows.free);
        sink.end(0, rows.scales, -1);
    }
}
