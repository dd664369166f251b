package poot.backend.cpu.x86.kernel;

import static poot.backend.cpu.x86.Instruction.VBROADCASTSS;
import static poot.backend.cpu.x86.Instruction.VCVTDQ2PS;
import static poot.backend.cpu.x86.Instruction.VCVTPS2DQ;
import static poot.backend.cpu.x86.Instruction.VDIVPS;
import static poot.backend.cpu.x86.Instruction.VEXTRACTI128;
import static poot.backend.cpu.x86.Instruction.VEXTRACTI64X4;
import static poot.backend.cpu.x86.Instruction.VMOVD_STORE;
import static poot.backend.cpu.x86.Instruction.VMOVUPS;
import static poot.backend.cpu.x86.Instruction.VMOVUPS_STORE;
import static poot.backend.cpu.x86.Instruction.VMULPS;
import static poot.backend.cpu.x86.Instruction.VPACKSSDW;
import static poot.backend.cpu.x86.Instruction.VPADDD;
import static poot.backend.cpu.x86.Instruction.VPAND;
import static poot.backend.cpu.x86.Instruction.VPERMQ_IMM;
import static poot.backend.cpu.x86.Instruction.VPMAXSD;
import static poot.backend.cpu.x86.Instruction.VPMOVDW_STORE;
import static poot.backend.cpu.x86.Instruction.VPMULLD;
import static poot.backend.cpu.x86.Instruction.VPOR;
import static poot.backend.cpu.x86.Instruction.VPERMPS;
import static poot.backend.cpu.x86.Instruction.VPSHUFB;
import static poot.backend.cpu.x86.Instruction.VPSHUFD;
import static poot.backend.cpu.x86.Instruction.VPSLLD;
import static poot.backend.cpu.x86.Instruction.VPXOR;

import java.util.stream.IntStream;
import poot.backend.cpu.x86.Assembler;
import poot.backend.cpu.x86.At;
import poot.backend.cpu.x86.Instruction;
import poot.backend.cpu.x86.Label;
import poot.backend.cpu.x86.Register;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.Layout;

/**
 * Stages one row of activations, F32 to the units of a {@link Layout}: integers are x · 32767 / (the group's largest |x|),
 * rounded to nearest even, so that an element is off by at most 1/65534 of the largest; fine ones are x · 2²¹ / that. With a NaN
 * or an infinity in a group its scale is one too, and so is every sum that reads it.
 *
 * <p>Arguments: -, the row, the first group's units, its scale and term, groups, bytes from a group to the next.
 */
public final class Staging {
    private static final Register FROM = Register.RSI;
    private static final Register UNITS = Register.RDX;
    private static final Register TAIL = Register.RCX;
    private static final Register LEFT = Register.R8;
    private static final Register STEP = Register.R9;

    /** The least scale · 32767: groups of smaller numbers, zeros among them, become zeros or lose precision. */
    private static final float LEAST = 1e-30f;
    private static final int X = 0;
    private static final int LARGEST = 4;
    private static final int OTHER = 5;
    private static final int SUM = 6;
    private static final int SCALE = 7;
    private static final int CLEAR_SIGN = 10;
    private static final int FLOOR = 11;
    private static final int LEVELS = 12;
    private static final int LEVEL = 13;
    private static final int OFFSET = 14;

    private static final int EVEN_FIRST = 15;

    /** The middle byte of a fine integer and the lowest are made signed: what they lose is carried upwards. */
    private static final int CARRIES = 0x00808080;
    /** Of four such integers the upper bytes, the middle ones and the lowest. */
    private static final byte[] BYTES = {2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12, -1, -1, -1, -1};
    /** Of four integers with their lower parts in the lower halves: of 0 and 2 the lower parts, the upper ones, then of 1 and 3. */
    private static final byte[] HALVES = {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15};

    /** In the lower half of each of four 32-bit integers a pair of upper bytes or of lower ones. */
    private static final byte[] SPLIT = {1, 5, -1, -1, 9, 13, -1, -1, 0, 4, -1, -1, 8, 12, -1, -1};

    private final Simd.Code code;
    private final Assembler to;
    private final Layout layout;
    private final int vectors;

    private Staging(Simd simd, Layout layout) {
        this.code = new Simd.Code(simd);
        this.to = code.to();
        this.layout = layout;
        this.vectors = layout.group() / simd.lanes();
    }

    /** The code. */
    public static byte[] of(Simd simd, Layout layout) {
        Staging s = new Staging(simd, layout);
        return layout.floating() ? s.floats() : s.integers();
    }

    private byte[] floats() {
        Label group = to.here();
        for (int i = 0; i < vectors; i++) {
            to.op(VMOVUPS, width(), X + i, Assembler.NONE, At.of(FROM, i * width()));
            to.op(VMOVUPS_STORE, width(), X + i, Assembler.NONE, At.of(UNITS, i * width()));
        }
        return finish(group);
    }

    private byte[] integers() {
        code.constant(CLEAR_SIGN, 0x7FFFFFFF);
        code.constant(FLOOR, Float.floatToRawIntBits(LEAST));
        float levels = layout.fine() ? 0x1p21f : 32767f;
        code.constant(LEVELS, Float.floatToRawIntBits(levels));
        code.constant(LEVEL, Float.floatToRawIntBits(1 / levels));
        code.constant(OFFSET, -layout.offset());
        if (layout.fine()) {
            code.vector(VMOVUPS, EVEN_FIRST, Assembler.NONE, evenFirst(code.simd().lanes()));
        }
        Label group = to.here();
        scale();
        for (int i = 0; i < vectors; i++) {
            code.op(VMULPS, X + i, X + i, OTHER);
            code.op(VCVTPS2DQ, X + i, Assembler.NONE, X + i);
        }
        sum();
        if (layout.fine()) {
            fine();
        } else {
            units();
        }
        term();
        return finish(group);
    }

    private int width() {
        return code.simd().width();
    }

    private byte[] finish(Label group) {
        to.add(FROM, 4 * layout.group());
        to.add(UNITS, STEP);
        to.add(TAIL, STEP);
        to.dec(LEFT);
        to.jnz(group);
        to.vzeroupper();
        to.ret();
        return code.finish();
    }

    /** Reads the group; its scale to the tail, and the reciprocal in every lane of OTHER. As integers, NaN is the largest. */
    private void scale() {
        for (int i = 0; i < vectors; i++) {
            to.op(VMOVUPS, width(), X + i, Assembler.NONE, At.of(FROM, i * width()));
            code.op(VPAND, i == 0 ? LARGEST : OTHER, X + i, CLEAR_SIGN);
            if (i > 0) {
                code.op(VPMAXSD, LARGEST, LARGEST, OTHER);
            }
        }
        fold(VPMAXSD, LARGEST);
        to.op(VPMAXSD, 16, LARGEST, LARGEST, FLOOR);
        to.op(VMULPS, 16, SCALE, LARGEST, LEVEL);
        to.op(VDIVPS, 16, OTHER, LEVELS, LARGEST);
        code.op(VBROADCASTSS, OTHER, Assembler.NONE, OTHER);
        to.op(VMOVD_STORE, 16, SCALE, Assembler.NONE, At.of(TAIL, 0));
    }

    /** Lane 0 of {@code of} = all its lanes put together. */
    private void fold(Instruction by, int of) {
        if (code.simd().wide()) {
            to.op(VEXTRACTI64X4, 64, of, Assembler.NONE, OTHER, 1);
            to.op(by, 32, of, of, OTHER);
        }
        to.op(VEXTRACTI128, 32, of, Assembler.NONE, OTHER, 1);
        to.op(by, 16, of, of, OTHER);
        to.op(VPSHUFD, 16, OTHER, Assembler.NONE, of, 0x4E);
        to.op(by, 16, of, of, OTHER);
        to.op(VPSHUFD, 16, OTHER, Assembler.NONE, of, 0xB1);
        to.op(by, 16, of, of, OTHER);
    }

    private static int[] evenFirst(int lanes) {
        return IntStream.range(0, lanes).map(i -> i / 8 * 8 + i % 4 * 2 + i % 8 / 4).toArray();
    }

    private void sum() {
        for (int i = 1; i < vectors; i++) {
            code.op(VPADDD, SUM, i == 1 ? X : SUM, X + i);
        }
        if (vectors == 1) {
            code.op(VPAND, SUM, X, X);
        }
    }

    /** Stores fine integers. */
    private void fine() {
        for (int i = 0; i < vectors; i++) {
            code.op(VPERMPS, X + i, EVEN_FIRST, X + i);
            if (layout.split()) {
                code.constant(VPADDD, X + i, X + i, CARRIES);
                code.constant(VPXOR, X + i, X + i, CARRIES);
                code.table(VPSHUFB, X + i, X + i, BYTES);
            } else {
                to.shift(VPSLLD, width(), 6, OTHER, X + i, 1);
                code.constant(VPAND, OTHER, OTHER, 0xFFFF0000);
                code.constant(VPAND, X + i, X + i, 0x7FFF);
                code.op(VPOR, X + i, X + i, OTHER);
                code.table(VPSHUFB, X + i, X + i, HALVES);
            }
            to.op(VMOVUPS_STORE, width(), X + i, Assembler.NONE, At.of(UNITS, i * width()));
        }
    }

    /** Stores the integers with the middle two of every four exchanged, or as bytes. */
    private void units() {
        for (int i = 0; i < vectors; i++) {
            if (layout.split()) {
                code.table(VPSHUFB, X + i, X + i, SPLIT);
            } else {
                to.op(VPSHUFD, width(), X + i, Assembler.NONE, X + i, 0xD8);
            }
            if (code.simd().wide()) {
                to.op(VPMOVDW_STORE, 64, X + i, Assembler.NONE, At.of(UNITS, 32 * i));
            } else if (i % 2 == 1) {
                to.op(VPACKSSDW, 32, X + i, X + i - 1, X + i);
                to.op(VPERMQ_IMM, 32, X + i, Assembler.NONE, X + i, 0xD8);
                to.op(VMOVUPS_STORE, 32, X + i, Assembler.NONE, At.of(UNITS, 16 * (i - 1)));
            }
        }
    }

    private void term() {
        fold(VPADDD, SUM);
        if (layout.minimums()) {
            to.op(VCVTDQ2PS, 16, SUM, Assembler.NONE, SUM);
            to.op(VMULPS, 16, SUM, SUM, SCALE);
        } else {
            to.op(VPMULLD, 16, SUM, SUM, OFFSET);
        }
        to.op(VMOVD_STORE, 16, SUM, Assembler.NONE, At.of(TAIL, 4));
    }
}
