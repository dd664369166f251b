package poot.backend.cpu.x86.weight;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Q6_K: 256 elements in sixteen groups: 128 bytes of nibbles, 64 of upper two bits, sixteen signed scales, the block's F16
 * scale. In each half of a block element l (0 to 31) of its four quarters lies in byte l or 32 + l, lower or upper nibble.
 */
final class SixBitRows implements StoredRows {
    private static final int UPPER = 128;
    private static final int SCALES = 192;
    private static final int SCALE = 208;
    private static final int BITS = 16;
    private static final int[] QUARTERS = {0, 2, 1, 3};

    @Override
    public Layout layout() {
        List<Integer> order = IntStream.range(0, 16).mapToObj(i -> group(i / 8, i / 4 % 2, QUARTERS[i % 4])).toList();
        return Layout.codes(16, 32, order);
    }

    private static int group(int half, int piece, int quarter) {
        return 8 * half + 2 * quarter + piece;
    }

    @Override
    public int stepBytes() {
        return 210;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public int scratch() {
        return BITS + 4;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        rows.quads(SCALES);
        rows.half(SCALE, rows.scales, rows.free);
        for (int i = 0; i < 4; i++) {
            Codes.scaledSigned(rows, 4 * i, rows.quads + i, rows.scales, rows.work);
        }
        for (int half = 0; half < 2; half++) {
            for (int piece = 0; piece < 2; piece++) {
                rows.quads(UPPER + 32 * half + 16 * piece);
                for (int i = 0; i < 4; i++) {
                    rows.keep(BITS + i, rows.quads + i);
                }
                for (int part = 0; part < 2; part++) {
                    rows.quads(64 * half + 32 * part + 16 * piece);
                    quarter(rows, sink, group(half, piece, part), part, false);
                    quarter(rows, sink, group(half, piece, 2 + part), 2 + part, true);
                }
            }
        }
    }

    private static void quarter(Rows rows, Sink sink, int group, int quarter, boolean upper) {
        sink.begin(group);
        for (int i = 0; i < 4; i++) {
            rows.take(BITS + i, rows.scales);
            Codes.wider(rows, sink, group, i, rows.quads + i, upper, rows.scales, 2 * quarter, 0x30);
        }
        rows.take(group, rows.scales);
        sink.end(group, rows.scales, -1);
    }
}
