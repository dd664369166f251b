package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPOR;
import static poot.backend.cpu.x86.Instruction.VPSRLD;

/**
 * Q4_K and Q5_K: 256 elements in eight groups. F16 scale and minimum of the block, twelve bytes of 6-bit scales and
 * minimums of the groups; Q5_K then has 32 bytes of fifth bits, bit g for group g; then nibbles: of every 32 bytes the lower
 * are one group, the upper the next.
 */
final class FiveBitRows implements StoredRows {
    private static final int MINIMUMS = 8;
    private static final int FIFTH = 16;

    private final boolean fifth;

    FiveBitRows(boolean fifth) {
        this.fifth = fifth;
    }

    @Override
    public Layout layout() {
        return Layout.minimums(32, 8);
    }

    @Override
    public int stepBytes() {
        return fifth ? 176 : 144;
    }

    @Override
    public int open() {
        return 2;
    }

    @Override
    public int scratch() {
        return fifth ? 24 : 16;
    }

    @Override
    public boolean fours() {
        return true;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        scales(rows);
        if (fifth) {
            rows.pieces(16, (piece, quads) -> {
                for (int i = 0; i < 4; i++) {
                    rows.keep(FIFTH + 4 * piece + i, quads + i);
                }
            });
        }
        for (int p = 0; p < 4; p++) {
            int pair = p;
            sink.begin(2 * pair);
            sink.begin(2 * pair + 1);
            rows.pieces((fifth ? 48 : 16) + 32 * pair, (piece, quads) -> {
                for (int i = 0; i < 4; i++) {
                    codes(rows, sink, pair, 4 * piece + i, quads + i);
                }
            });
            end(rows, sink, 2 * pair);
            end(rows, sink, 2 * pair + 1);
        }
    }

    private void codes(Rows rows, Sink sink, int pair, int index, int quad) {
        if (fifth) {
            int bits = rows.take(FIFTH + index, rows.scales);
            Codes.wider(rows, sink, 2 * pair, index, quad, false, bits, 2 * pair, 0x10);
            Codes.wider(rows, sink, 2 * pair + 1, index, quad, true, bits, 2 * pair + 1, 0x10);
        } else {
            Codes.lower(rows, sink, 2 * pair, index, quad);
            Codes.upper(rows, sink, 2 * pair + 1, index, quad);
        }
    }

    private static void end(Rows rows, Sink sink, int group) {
        sink.end(group, rows.take(group, rows.scales), rows.take(MINIMUMS + group, rows.minimums));
    }

    /** The groups' scales and minimums, as F32, in the scratch. */
    private static void scales(Rows rows) {
        rows.quads(0);
        int q = rows.quads;
        int d = rows.scales;
        int least = rows.minimums;
        rows.half(q, d);
        rows.shift(VPSRLD, 2, q, q, 16);
        rows.half(q, least);
        six(rows, 0, q + 1, d, q);
        six(rows, MINIMUMS, q + 2, least, q);
        mixed(rows, 4, q + 3, 0, q + 1, d, q);
        mixed(rows, MINIMUMS + 4, q + 3, 4, q + 2, least, q);
    }

    /** Four numbers of six bits in the lower bits of the bytes of {@code from}. */
    private static void six(Rows rows, int at, int from, int by, int free) {
        rows.code().constant(VPAND, rows.work, from, 0x3F3F3F3F);
        Codes.scaled(rows, at, rows.work, by, free);
    }

    /** Four bits from {@code low}, shifted by {@code shift}, and above them the upper two of {@code high}. */
    private static void mixed(Rows rows, int at, int low, int shift, int high, int by, int free) {
        rows.shift(VPSRLD, 2, rows.work, low, shift);
        rows.code().constant(VPAND, rows.work, rows.work, 0x0F0F0F0F);
        rows.shift(VPSRLD, 2, free, high, 2);
        rows.code().constant(VPAND, free, free, 0x30303030);
        rows.code().op(VPOR, rows.work, rows.work, free);
        Codes.scaled(rows, at, rows.work, by, free);
    }
}
