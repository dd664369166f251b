package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPOR;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VPSRLD;
import static poot.backend.cpu.x86.Instruction.VPSUBD;
import static poot.backend.cpu.x86.Instruction.VPXOR;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Q3_K: 256 elements in sixteen groups: 32 bytes of third bits, bit s of byte l for element 32s + l, 64 bytes of two bits as
 * in {@link TwoBitRows}, twelve of scales of six bits less 32, the F16 scale of the block; codes less 4.
 */
final class ThreeBitRows implements StoredRows {
    private static final int THIRD = 16;
    private static final int CODES = 32;
    private static final int SCALES = 96;

    private static List<Integer> order() {
        return IntStream.range(0, 16).mapToObj(i -> TwoBitRows.group(i / 4 % 2, i / 8, i % 4)).toList();
    }

    @Override
    public Layout layout() {
        return Layout.codes(16, 4, order());
    }

    @Override
    public int stepBytes() {
        return 110;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public int scratch() {
        return THIRD + 4;
    }

    @Override
    public void step(Rows rows, Sink sink) {
        scales(rows);
        for (int piece = 0; piece < 2; piece++) {
            rows.quads(16 * piece);
            for (int i = 0; i < 4; i++) {
                rows.keep(THIRD + i, rows.quads + i);
            }
            for (int half = 0; half < 2; half++) {
                rows.quads(CODES + 32 * half + 16 * piece);
                for (int field = 0; field < 4; field++) {
                    int group = TwoBitRows.group(half, piece, field);
                    sink.begin(group);
                    for (int i = 0; i < 4; i++) {
                        int bits = rows.take(THIRD + i, rows.scales);
                        Codes.third(rows, sink, group, i, rows.quads + i, 2 * field, bits, 4 * half + field);
                    }
                    sink.end(group, rows.take(group, rows.scales), -1);
                }
            }
        }
    }

    /** low = the four bytes of every lane that begin in its upper half and end in the lower of {@code high}. */
    private static void between(Rows rows, int low, int high) {
        rows.shift(VPSRLD, 2, low, low, 16);
        rows.shift(VPSLLD, 6, rows.work, high, 16);
        rows.code().op(VPOR, low, low, rows.work);
    }

    /** The groups' scales, as F32, in the scratch: four lower bits in eight bytes, two upper in the next four. */
    private static void scales(Rows rows) {
        int q = rows.quads;
        if (rows.inOrder()) {
            for (int i = 0; i < 3; i++) {
                rows.numbers(SCALES + 4 * i, 4, q + i, rows.work);
            }
            rows.half(SCALES + 12, rows.kept, rows.work);
        } else {
            rows.quads(SCALES - 2);
            rows.shift(VPSRLD, 2, rows.work, q + 3, 16);
            rows.half(rows.work, rows.kept);
            for (int i = 0; i < 3; i++) {
                between(rows, q + i, q + i + 1);
            }
        }
        for (int i = 0; i < 4; i++) {
            rows.shift(VPSRLD, 2, rows.work, q + i % 2, 4 * (i / 2));
            rows.code().constant(VPAND, rows.work, rows.work, 0x0F0F0F0F);
            rows.shift(VPSRLD, i < 2 ? 6 : 2, rows.free, q + 2, Math.abs(4 - 2 * i));
            rows.code().constant(VPAND, rows.free, rows.free, 0x30303030);
            rows.code().op(VPOR, rows.work, rows.work, rows.free);
            rows.code().constant(VPOR, rows.work, rows.work, 0x80808080);
            rows.code().constant(VPSUBD, rows.work, rows.work, 0x20202020);
            rows.code().constant(VPXOR, rows.work, rows.work, 0x80808080);
            Codes.scaledSigned(rows, 4 * i, rows.work, rows.kept, rows.free);
        }
    }
}
