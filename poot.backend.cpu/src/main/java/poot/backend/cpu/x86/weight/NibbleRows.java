package poot.backend.cpu.x86.weight;

/** Q4_0: an F16 scale, 32 nibbles less 8: element i in the lower nibble of byte i, 16 + i in the upper. */
final class NibbleRows implements StoredRows {
    @Override
    public Layout layout() {
        return Layout.codes(32, 8, Layout.natural(1));
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
    public boolean fours() {
        return true;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        sink.begin(0);
        rows.quads(2);
        for (int i = 0; i < 4; i++) {
            Codes.lower(rows, sink, 0, i, rows.quads + i);
            Codes.upper(rows, sink, 0, 4 + i, rows.quads + i);
        }
        rows.half(0, rows.scales, rows.free);
        sink.end(0, rows.scales, -1);
    }
}
