package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPSRLD;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Q2_K: 256 elements in sixteen groups: sixteen bytes of scales and minimums of four bits, 64 of codes, the F16 scale and
 * minimum of the block.
 */
final class TwoBitRows implements StoredRows {
    private static final int MINIMUMS = 16;
    private static final int CODES = 16;

    /**
     * Groups of sixteen where a byte holds two bits of four elements 32 apart: of each 128 elements the first sixteen bytes
     * hold groups 0, 2, 4 and 6, the next the others.
     */
    static List<Integer> order() {
        return IntStream.range(0, 16).mapToObj(i -> group(i / 8, i / 4 % 2, i % 4)).toList();
    }

    /** The group of field {@code field} of sixteen bytes. */
    static int group(int half, int piece, int field) {
        return 8 * half + 2 * field + piece;
    }

    @Override
    public Layout layout() {
        return new Layout(16, false, true, 0, false, false, order());
    }

    @Override
    public int stepBytes() {
        return 84;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public int scratch() {
        return 32;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        rows.quads(68);
        rows.half(rows.quads + 3, rows.kept);
        rows.shift(VPSRLD, 2, rows.quads + 3, rows.quads + 3, 16);
        rows.half(rows.quads + 3, rows.kept + 1);
        rows.quads(0);
        for (int i = 0; i < 4; i++) {
            Codes.scaled(rows, 4 * i, rows.quads + i, 0, 0xF, rows.kept, rows.work);
            Codes.scaled(rows, MINIMUMS + 4 * i, rows.quads + i, 4, 0xF, rows.kept + 1, rows.work);
        }
        for (int sixteen = 0; sixteen < 4; sixteen++) {
            rows.quads(CODES + 16 * sixteen);
            for (int field = 0; field < 4; field++) {
                int group = group(sixteen / 2, sixteen % 2, field);
                sink.begin(group);
                for (int i = 0; i < 4; i++) {
                    Codes.pairs(rows, sink, group, i, rows.quads + i, 2 * field);
                }
                sink.end(group, rows.take(group, rows.scales), rows.take(MINIMUMS + group, rows.minimums));
            }
        }
    }
}
