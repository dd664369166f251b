package poot.backend.cpu.x86.weight;


/** Q2_0: an F16 scale, 64 codes of two bits less 1, four to a byte, lowest first. */
final class PairRows implements StoredRows {
    @Override
    public Layout layout() {
        return Layout.codes(32, 1, Layout.natural(2));
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
    public void step(Rows rows, Sink sink) {
        rows.half(0, rows.kept, rows.free);
        rows.quads(2);
        for (int group = 0; group < 2; group++) {
            sink.begin(group);
            for (int i = 0; i < 8; i++) {
                int quad = rows.quads + 2 * group + i / 4;
                Codes.apart(rows, quad, i % 4, 0, 4, 3);
                sink.unit(group, 2 * i, rows.work);
                Codes.apart(rows, quad, i % 4, 2, 6, 3);
                sink.unit(group, 2 * i + 1, rows.work);
            }
            sink.end(group, rows.kept, -1);
        }
    }
}
