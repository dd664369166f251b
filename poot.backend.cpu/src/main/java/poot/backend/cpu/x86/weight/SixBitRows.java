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

    @Override
    public Layout layout() {
        List<Integer> order = IntStream.range(0, 16).mapToObj(i -> group(i / 8, i / 2 % 2, i / 4 % 2 + 2 * (i % 2))).toList();
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
        return BITS + 8;
    }

    @Override
    public boolean fours() {
        return true;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        rows.quads(SCALES);
        rows.half(SCALE, rows.scales, rows.free);
        for (int i = 0; i < 4; i++) {
            Codes.scaledSigned(rows, 4 * i, rows.quads + i, rows.scales, rows.work);
        }
        for (int h = 0; h < 2; h++) {
            int half = h;
            rows.pieces(UPPER + 32 * half, (piece, quads) -> {
                for (int i = 0; i < 4; i++) {
                    rows.keep(BITS + 4 * piece + i, quads + i);
                }
            });
            for (int p = 0; p < 2; p++) {
                int part = p;
                rows.pieces(64 * half + 32 * part, (piece, quads) -> {
                    quarter(rows, sink, group(half, piece, part), piece, quads, part, false);
                    quarter(rows, sink, group(half, piece, 2 + part), piece, quads, 2 + part, true);
                });
            }
        }
    }

    private static void quarter(Rows rows, Sink sink, int group, int piece, int quads, int quarter, boolean upper) {
        sink.begin(group);
        for (int i = 0; i < 4; i++) {
            int bits = rows.take(BITS + 4 * piece + i, rows.scales);
            Codes.wider(rows, sink, group, i, quads + i, upper, bits, 2 * quarter, 0x30);
        }
        sink.end(group, rows.take(group, rows.scales), -1);
    }
}
