package poot.backend.cpu.x86.weight;

import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPADDB;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPMADDWD;
import static poot.backend.cpu.x86.Instruction.VPMAXUB;
import static poot.backend.cpu.x86.Instruction.VPOR;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VPSRLW;
import static poot.backend.cpu.x86.Instruction.VPSUBUSB;

import java.util.Arrays;
import poot.api.graph.ElementType;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;

/**
 * FP8 E4M3. A sign and seven bits, moved to where those of an F32 are, are the element times 2^-120, subnormals too; the
 * scale times 2^120 makes of it what decode defines, to the bit, while it is finite. The two codes that are no numbers make
 * the scale of their row one that is none.
 *
 * @param scale how the scales are stored
 * @param each  whether there is one for each row; else one for all rows of a call
 */
record EightBitRows(ElementType scale, boolean each) implements StoredRows {
    /** Elements of a step. */
    static final int STEP = 64;
    /** Scales from here on are not finite once multiplied. */
    static final float LIMIT = 256;

    private static final byte[] FINITE = filled(0xFD);
    private static final byte[] MINUS = filled(0xFF);

    private static byte[] filled(int value) {
        byte[] sixteen = new byte[16];
        Arrays.fill(sixteen, (byte) value);
        return sixteen;
    }

    @Override
    public Layout layout() {
        return Layout.floats(DenseFormat.GROUP, STEP / DenseFormat.GROUP);
    }

    @Override
    public int stepBytes() {
        return STEP;
    }

    @Override
    public int open() {
        return 1;
    }

    @Override
    public boolean apart() {
        return true;
    }

    @Override
    public boolean interleaves() {
        return true;
    }

    @Override
    public void begin(Rows rows, Register first) {
        rows.point(first);
        Parts.begin(rows);
    }

    @Override
    public void advance(Rows rows) {
        rows.advance(STEP);
        Parts.advance(rows);
    }

    @Override
    public void next(Rows rows, Register first) {
        rows.next(first);
        if (each) {
            Parts.next(rows, Parts.SCALES, rows.code().simd().lanes() * scale.bytes());
        }
    }

    @Override
    public void step(Rows rows, Sink sink) {
        boolean wide = rows.code().simd().wide();
        int scaled = wide ? Rows.EXTRA : rows.kept;
        int checked = wide ? rows.free - 1 : rows.kept + 1;
        int other = wide ? rows.free : rows.scales;
        if (each) {
            Parts.scales(rows, scale, scaled);
        } else {
            Parts.spread(rows, scale, scaled);
        }
        rows.code().constant(VMULPS, scaled, scaled, Float.floatToRawIntBits(0x1p120f));
        rows.line((number, index, count) -> {
            int quads = rows.quads(index, count);
            check(rows.code(), quads, rows.work, other);
            rows.code().op(VPOR, checked, scaled, rows.work);
            for (int i = 0; i < 4; i++) {
                four(rows, sink, number, 4 * i, quads + i, checked, other);
            }
        });
    }

    /** to = 0, or bits that are no number, where a byte of the lane is 0x7F or 0xFF: twice that is 0xFE, the most there is. */
    private static void check(Simd.Code code, int quads, int to, int other) {
        code.op(VPADDB, to, quads, quads);
        for (int i = 1; i < 4; i++) {
            code.op(VPADDB, other, quads + i, quads + i);
            code.op(VPMAXUB, to, to, other);
        }
        code.table(VPSUBUSB, to, to, FINITE);
        code.table(VPMADDWD, to, to, MINUS);
    }

    /** Elements {@code first} to + 3 of a group: 0 and 2 in the lower bytes of two words, 1 and 3 in the upper. */
    private static void four(Rows rows, Sink sink, int group, int first, int quad, int scale, int other) {
        rows.shift(VPSRLW, 6, rows.work, quad, 8);
        two(rows, sink, group, first, rows.work, scale, other);
        two(rows, sink, group, first + 1, quad, scale, other);
    }

    private static void two(Rows rows, Sink sink, int group, int first, int words, int scale, int other) {
        rows.shift(VPSRLW, 4, rows.work, words, 4);
        rows.code().constant(VPAND, rows.work, rows.work, 0x87F087F0);
        rows.shift(VPSLLD, 6, other, rows.work, 16);
        rows.code().op(VMULPS, other, other, scale);
        sink.unit(group, first, other);
        rows.code().constant(VPAND, rows.work, rows.work, 0xFFFF0000);
        rows.code().op(VMULPS, rows.work, rows.work, scale);
        sink.unit(group, first + 2, rows.work);
    }
}
