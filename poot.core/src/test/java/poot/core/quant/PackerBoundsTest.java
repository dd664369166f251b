package poot.core.quant;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.Shape;

/** Every packer against the errors it documents: bounds, exact values, values that are not numbers. */
class PackerBoundsTest {
    private static final float[] LEVELS = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
    private static final float[] TWICE_E2M1 = {0, 1, 2, 3, 4, 6, 8, 12};

    /**
     * Formats of one kind of code.
     *
     * @param packer    the format
     * @param size      elements under one scale
     * @param most      the largest scale under the block's step; 1 where there are none
     * @param levels    what codes are worth, in steps, the one that ranges are fitted to first
     * @param offsets   whether an offset is added
     * @param offStep   how far from its nearest code a value may be, in steps
     */
    private record Kind(Packer packer, int size, int most, float[] levels, boolean offsets, float offStep) {
        @Override
        public String toString() {
            return packer.name();
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind(Packer.Q8_0, 32, 1, integers(-127, 127), false, 0.5f),
                new Kind(Packer.Q4_0, 32, 1, integers(-8, 7), false, 1),
                new Kind(Packer.Q5_0, 32, 1, integers(-16, 15), false, 1),
                new Kind(Packer.Q4_1, 32, 1, integers(0, 15), true, 0.5f),
                new Kind(Packer.Q5_1, 32, 1, integers(0, 31), true, 0.5f),
                new Kind(Packer.Q2_K, 16, 15, integers(0, 3), true, 0.5f),
                new Kind(Packer.Q3_K, 16, 31, integers(-4, 3), false, 1),
                new Kind(Packer.Q4_K, 32, 63, integers(0, 15), true, 0.5f),
                new Kind(Packer.Q5_K, 32, 63, integers(0, 31), true, 0.5f),
                new Kind(Packer.Q6_K, 16, 127, integers(-32, 31), false, 1),
                new Kind(Packer.IQ4_NL, 32, 1, LEVELS, false, 14),
                new Kind(Packer.IQ4_XS, 32, 31, LEVELS, false, 14));
    }

    /** The largest step a packer may choose for a run: what covers it, and what rounding it to its fields adds. */
    @ParameterizedTest
    @MethodSource("kinds")
    void errorsStayWithinTheStep(Kind kind) {
        for (float size : new float[] {1e-3f, 1, 6e3f}) {
            float[] row = random(7, size);
            float[] back = roundTrip(kind.packer(), row);
            int block = kind.packer().encoding().blockElements();
            for (int from = 0; from < row.length; from += block) {
                float finest = 0;
                float[] steps = new float[block / kind.size()];
                for (int s = 0; s < steps.length; s++) {
                    steps[s] = reach(kind, row, from + s * kind.size());
                    finest = Math.max(finest, steps[s] / kind.most());
                }
                for (int i = 0; i < block; i++) {
                    float step = (steps[i / kind.size()] + (kind.most() > 1 ? finest : 0)) * 1.002f + 0x1p-24f;
                    assertEquals(row[from + i], back[from + i], kind.offStep() * step, kind + " of size " + size);
                }
            }
        }
    }

    /** What covers a run: its range, or its largest magnitude, in the steps there are. */
    private static float reach(Kind kind, float[] row, int from) {
        boolean holdsZero = kind.most() > 1;
        float least = holdsZero ? 0 : row[from];
        float most = holdsZero ? 0 : row[from];
        float deepest = 0;
        for (int i = 0; i < kind.size(); i++) {
            least = Math.min(least, row[from + i]);
            most = Math.max(most, row[from + i]);
        }
        if (holdsZero && kind.offsets()) {
            int first = from / 256 * 256;
            for (int i = first; i < first + 256; i++) {
                deepest = Math.max(deepest, -row[i]);
            }
        }
        float[] levels = kind.levels();
        float range = kind.offsets() ? most - least + deepest * 1.002f / kind.most() : Math.max(most, -least);
        return range / (kind.offsets() ? levels[levels.length - 1] : -levels[0]);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void representableValuesAreExact(Kind kind) {
        Random random = new Random(11);
        float[] row = new float[512];
        for (int from = 0; from < row.length; from += kind.packer().encoding().blockElements()) {
            float d = (1 + random.nextInt(16) / 16f) / 32;
            float dmin = (1 + random.nextInt(8) / 8f) / 256;
            int runs = kind.packer().encoding().blockElements() / kind.size();
            for (int s = 0; s < runs; s++) {
                int scale = s == 0 ? kind.most() : 1 + random.nextInt(kind.most());
                int min = s == 0 ? kind.most() : random.nextInt(1 + Math.min(scale, kind.most()));
                float offset = !kind.offsets() ? 0 : kind.most() > 1 ? -dmin * min : dmin * (random.nextInt(65) - 32);
                int sign = !kind.offsets() && (kind.packer() != Packer.Q8_0) && random.nextBoolean() ? -1 : 1;
                for (int i = 0; i < kind.size(); i++) {
                    float[] levels = kind.levels();
                    float level = levels[i == 3 ? 0 : i == 5 ? levels.length - 1 : random.nextInt(levels.length)];
                    row[from + s * kind.size() + i] = sign * d * scale * level + offset + 0f;
                }
            }
        }
        assertArrayEquals(row, roundTrip(kind.packer(), row));
    }

    @Test
    void powersOfTwoHoldTheirBlock() {
        Random random = new Random(12);
        for (float size : new float[] {1e-30f, 1e-3f, 1, 3e4f, 1e37f}) {
            float[] row = random(13, size);
            float[] back = roundTrip(Packer.MXFP4, row);
            for (int from = 0; from < row.length; from += 32) {
                float largest = 0;
                for (int i = from; i < from + 32; i++) {
                    largest = Math.max(largest, Math.abs(row[i]));
                }
                for (int i = from; i < from + 32; i++) {
                    assertTrue(Math.abs(row[i] - back[i]) <= largest / 3, row[i] + " becomes " + back[i]);
                    assertTrue(Math.abs(row[i]) > largest / 24 || Math.abs(row[i] - back[i]) <= largest / 12 / 2 * 1.001f,
                            row[i] + " becomes " + back[i]);
                }
            }
        }
        float[] exact = new float[64];
        for (int i = 0; i < exact.length; i++) {
            float level = TWICE_E2M1[i % 32 == 9 ? 7 : random.nextInt(8)];
            exact[i] = (random.nextBoolean() && level != 0 ? -level : level) * (i < 32 ? 0x1p-9f : 0x1p3f);
        }
        assertArrayEquals(exact, roundTrip(Packer.MXFP4, exact));
    }

    @ParameterizedTest
    @EnumSource(value = Packer.class, mode = EnumSource.Mode.EXCLUDE, names = {"F16", "BF16"})
    void zerosStayZeroAndExtremesStayFinite(Packer packer) {
        for (float value : roundTrip(packer, new float[256])) {
            assertEquals(0f, value);
        }
        float[] huge = random(3, 1);
        huge[3] = Float.MAX_VALUE;
        huge[200] = Float.NEGATIVE_INFINITY;
        huge[280] = Float.POSITIVE_INFINITY;
        huge[77] = Float.NaN;
        huge[600] = Float.NaN;
        for (float value : roundTrip(packer, huge)) {
            assertTrue(Float.isFinite(value), packer.name());
        }
        float[] none = new float[256];
        Arrays.fill(none, Float.NaN);
        for (float value : roundTrip(packer, none)) {
            assertEquals(0f, value);
        }
        assertArrayEquals(packer.pack(huge), packer.pack(huge), "packing is a function");
    }

    @Test
    void rowsThatAreNotWholeBlocksFallBack() {
        assertEquals(Packer.Q6_K, Packer.Q6_K.fitting(512));
        assertEquals(Packer.Q8_0, Packer.Q6_K.fitting(64));
        assertEquals(Packer.F16, Packer.Q6_K.fitting(172));
        assertEquals(Packer.IQ4_NL, Packer.Q2_K.fitting(192));
        assertEquals(Packer.Q5_0, Packer.Q4_K.fitting(192));
        assertEquals(Packer.BF16, Packer.BF16.fitting(7));
        for (Packer packer : Packer.values()) {
            for (int columns : new int[] {1, 32, 100, 256}) {
                assertEquals(0, columns % packer.fitting(columns).encoding().blockElements());
            }
        }
    }

    private static float[] integers(int first, int last) {
        float[] out = new float[last - first + 1];
        for (int i = 0; i < out.length; i++) {
            out[i] = first + i;
        }
        return out;
    }

    private static float[] random(long seed, float size) {
        Random random = new Random(seed);
        float[] row = new float[2048];
        for (int i = 0; i < row.length; i++) {
            row[i] = (float) (random.nextGaussian() + (i < 512 ? 0 : i < 1024 ? 5 : -5)) * size;
        }
        return row;
    }

    /** Packed and decoded, negative zeros as zeros. */
    private static float[] roundTrip(Packer packer, float[] row) {
        float[] out = new float[row.length];
        List<MemorySegment> parts = List.of(MemorySegment.ofArray(packer.pack(row)));
        QuantFormats.of(packer.encoding()).decode(parts, Shape.of(1, row.length), 0, 0, row.length, out, 0);
        for (int i = 0; i < out.length; i++) {
            out[i] += 0f;
        }
        return out;
    }
}
