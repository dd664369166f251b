package poot.backend.cpu.x86.weight;


/** F32. */
final class FloatRows implements StoredRows {
    /** Bytes of a step of the dense formats. */
    static final int LINE = 64;
    /** Elements of their groups. */
    static final int GROUP = 16;

    @Override
    public Layout layout() {
        return Layout.floats(GROUP, 1);
    }

    @Override
    public int stepBytes() {
        return LINE;
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
                sink.unit(0, 4 * number + i, quads + i);
            }
        });
    }
}
