package poot.backend.cpu.kernel.weight;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.I32;
import static poot.backend.cpu.kernel.Lanes.LITTLE;

import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import poot.backend.cpu.kernel.Lanes;

/**
 * Encodings whose 4-bit codes name one of 16 levels. Elements come in groups of 32 with one scale and 16 bytes of codes,
 * low nibbles first; the encodings differ in where those lie and in the levels.
 */
final class BlockTable implements BlockKernel {
    /** The layouts. */
    enum Layout {
        /** IQ4_NL: 32 elements in 18 bytes, d (2), codes (16). */
        IQ4_NL,
        /** IQ4_XS: 256 elements in 136 bytes, d (2), upper scale bits (2), lower scale nibbles (4), codes (128). */
        IQ4_XS,
        /** MXFP4: 32 elements in 17 bytes, a power of two biased by 127 (1), E2M1 codes (16). */
        MXFP4
    }

    private static final int[] UNEVEN = bits(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113);
    /** Twice the values of E2M1, so that half the scale times them is exact. */
    private static final int[] TWICE_E2M1 = bits(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12);

    private final Layout layout;
    private final int[] levels;

    BlockTable(Layout layout) {
        this.layout = layout;
        this.levels = switch (layout) {
            case IQ4_NL, IQ4_XS -> UNEVEN;
            case MXFP4 -> TWICE_E2M1;
        };
    }

    private static int[] bits(int... levels) {
        return IntStream.of(levels).map(l -> Float.floatToRawIntBits(l)).toArray();
    }

    @Override
    public void dots(byte[] w, int first, int second, int n, float[] x, int xAt, float[] lanes) {
        dot(layout, levels, w, first, n, x, xAt, lanes, 0);
        dot(layout, levels, w, second, n, x, xAt, lanes, COUNT);
    }

    /** One row: two at once would be more than the compiler inlines. */
    private static void dot(Layout layout, int[] levels, byte[] w, int at, int n, float[] x, int xAt, float[] lanes, int left) {
        IntVector first = IntVector.fromArray(I32, levels, 0);
        IntVector last = IntVector.fromArray(I32, levels, 16 - COUNT);
        FloatVector acc = FloatVector.zero(F32);
        for (int g = 0; g < n / 32; g++) {
            int q = at + codes(layout, g);
            int p = xAt + 32 * g;
            float d = scale(layout, w, at, g);
            for (int j = 0; j < 16; j += COUNT) {
                acc = level(Lanes.codes(w, q + j), first, last).mul(d).fma(Lanes.load(x, p + j), acc);
            }
            for (int j = 0; j < 16; j += COUNT) {
                IntVector c = Lanes.codes(w, q + j).lanewise(VectorOperators.LSHR, 4);
                acc = level(c, first, last).mul(d).fma(Lanes.load(x, p + 16 + j), acc);
            }
        }
        acc.intoArray(lanes, left);
    }

    /** The level of the low nibble of each code; tables of fewer lanes than levels are two. */
    private static FloatVector level(IntVector codes, IntVector first, IntVector last) {
        IntVector low = codes.and(COUNT - 1).selectFrom(first);
        if (COUNT == 16) {
            return low.reinterpretAsFloats();
        }
        IntVector high = codes.and(COUNT - 1).selectFrom(last);
        return low.blend(high, codes.and(8).compare(VectorOperators.NE, 0)).reinterpretAsFloats();
    }

    /** Where the codes of a group begin. */
    private static int codes(Layout layout, int g) {
        return switch (layout) {
            case IQ4_NL -> 18 * g + 2;
            case IQ4_XS -> 136 * (g >> 3) + 8 + 16 * (g & 7);
            case MXFP4 -> 17 * g + 1;
        };
    }

    private static float scale(Layout layout, byte[] w, int at, int g) {
        return switch (layout) {
            case IQ4_NL -> Fields.half(w, at + 18 * g);
            case IQ4_XS -> {
                int block = at + 136 * (g >> 3);
                int s = g & 7;
                int low = w[block + 4 + (s >> 1)] >> 4 * (s & 1) & 15;
                int high = w[block + 2 + (s >> 2)] >> 2 * (s & 3) & 3;
                yield Fields.half(w, block) * ((low | high << 4) - 32);
            }
            case MXFP4 -> {
                int e = w[at + 17 * g] & 0xff;
                yield Float.intBitsToFloat(e < 2 ? 0x200000 << e : e - 1 << 23);
            }
        };
    }

    @Override
    public void decode(byte[] w, int n, MemorySegment out, long to) {
        decode(layout, levels, w, n, out, to);
    }

    private static void decode(Layout layout, int[] levels, byte[] w, int n, MemorySegment out, long to) {
        IntVector first = IntVector.fromArray(I32, levels, 0);
        IntVector last = IntVector.fromArray(I32, levels, 16 - COUNT);
        for (int g = 0; g < n / 32; g++) {
            int q = codes(layout, g);
            float d = scale(layout, w, 0, g);
            for (int j = 0; j < 16; j += COUNT) {
                IntVector c = Lanes.codes(w, q + j);
                long p = to + 128L * g + 4 * j;
                level(c, first, last).mul(d).intoMemorySegment(out, p, LITTLE);
                level(c.lanewise(VectorOperators.LSHR, 4), first, last).mul(d).intoMemorySegment(out, p + 64, LITTLE);
            }
        }
    }
}
