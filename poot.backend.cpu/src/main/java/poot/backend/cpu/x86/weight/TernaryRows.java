package poot.backend.cpu.x86.weight;


/** TQ2_0: 64 bytes of codes of two bits less 1, laid out as those of {@link TwoBitRows}, the F16 scale of the block. */
final class TernaryRows implements StoredRows {
    @Override
    public Layout layout() {
        return Layout.codes(16, 1, TwoBitRows.order());
    }

    @Override
    public int stepBytes() {
        return 66;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        rows.half(64, rows.kept, rows.free);
        for (int sixteen = 0; sixteen < 4; sixteen++) {
            rows.quads(16 * sixteen);
            for (int field = 0; field < 4; field++) {
                int group = TwoBitRows.group(sixteen / 2, sixteen % 2, field);
                sink.begin(group);
                for (int i = 0; i < 4; i++) {
                    Codes.pairs(rows, sink, group, i, rows.quads + i, 2 * field);
                }
                sink.end(group, rows.kept, -1);
            }
        }
    }
}
