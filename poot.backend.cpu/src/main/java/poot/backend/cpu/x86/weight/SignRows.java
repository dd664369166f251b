package poot.backend.cpu.x86.weight;


/** Q1_0: an F16 scale, 128 bits, one for plus and zero for minus the scale: codes 0 and 2, less 1. */
final class SignRows implements StoredRows {
    @Override
    public Layout layout() {
        return Layout.codes(32, 1, Layout.natural(4));
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
        for (int group = 0; group < 4; group++) {
            sink.begin(group);
            for (int i = 0; i < 8; i++) {
                int first = 4 * (i % 2);
                Codes.apart(rows, rows.quads + group, i / 2, first - 1, first + 1, 2);
                sink.unit(group, 2 * i, rows.work);
                Codes.apart(rows, rows.quads + group, i / 2, first, first + 2, 2);
                sink.unit(group, 2 * i + 1, rows.work);
            }
            sink.end(group, rows.kept, -1);
        }
    }
}
