package poot.core.quant;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;

/**
 * GPTQ and AWQ. The vectors were made apart from this code, with numpy, as the two projects pack and unpack; scales and
 * expected values are 64ths, all exact. The random matrices are packed here, one nibble at a time.
 */
class FourBitFormatsTest {
    private static final int[] GPTQ_WEIGHT = {
        0xe5f140fa, 0xda86600c, 0x41ea4240, 0xd47ff6c, 0xc55a2397, 0xb3eaea68, 0xc82acc2a, 0xe10d304,
        0xf47c2940, 0xa850c7c8, 0xaaf58225, 0x73fe8c56, 0xf5ad4c1e, 0x3b618323, 0x533df048, 0xaaed35b5
    };
    private static final int[] GPTQ_ZEROS = {0x6eadbf1a, 0xc26330c5};
    private static final int[] GPTQ_SCALES = {
        34, 15, 2, 28, 5, 24, 7, 37, 27, 39, 25, 29, 15, 32, 5, 6
    };
    private static final int[] GPTQ_ORDER = {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1};
    private static final int[] AWQ_WEIGHT = {
        0xa1a5cbf1, 0x9064def3, 0xef599c3a, 0x9d8da161, 0xec761193, 0x94260dc1, 0x53cd3286, 0x529cd9bf,
        0xfd25ff05, 0x9604f705, 0x300b7702, 0xd4ac8d0e, 0xd2c0a4ed, 0x2ff2a37, 0x28422862, 0xb13d03b5
    };
    private static final int[] AWQ_ZEROS = {0x67b48b99, 0x57503b1f, 0x12cf259f, 0x30b61b21};
    private static final int[] AWQ_SCALES = {
        34, 33, 33, 23, 6, 13, 21, 39, 11, 22, 20, 20, 22, 28, 5, 39, 34, 30, 11, 18, 18, 13, 3, 30, 1, 30, 8,
        26, 14, 10, 37, 19
    };

    @Test
    void gptqVectors() {
        Gptq4 format = new Gptq4(8, true, false, ElementType.F16);
        List<MemorySegment> parts = gptqParts();
        int[][] expected = {
            {-34, 136, -374, -238, -340, 136, -204, 102, -162, -54, 81, -108, 162, 27, -54, 243},
            {-32, -24, -28, -24, -12, -4, -30, -24, 100, 25, 25, 175, 100, 350, 225, 225},
            {-72, -120, -24, 72, -24, 72, -192, 0, -128, -160, -128, 32, -192, -32, 128, -128}
        };
        assertRow(expected[0], format, parts, 0);
        assertRow(expected[1], format, parts, 2);
        assertRow(expected[2], format, parts, 5);
    }

    @Test
    void gptqVectorsWithAnOrder() {
        Gptq4 format = new Gptq4(8, true, true, ElementType.F16);
        List<MemorySegment> parts = gptqParts();
        int[][] expected = {
            {108, 136, -162, -54, -340, 136, -204, 102, -162, -54, -68, -108, 34, -136, -54, 243},
            {-25, -24, 25, 75, -12, -4, -30, -24, 100, 25, -28, 175, -22, -2, 225, 225},
            {32, -120, 96, 224, -24, 72, -192, 0, -128, -160, -192, 32, -240, -120, 128, -128}
        };
        assertRow(expected[0], format, parts, 0);
        assertRow(expected[1], format, parts, 2);
        assertRow(expected[2], format, parts, 5);
    }

    @Test
    void awqVectors() {
        Awq4 format = new Awq4(4, ElementType.F16);
        List<MemorySegment> parts = List.of(TestParts.ints(AWQ_WEIGHT), TestParts.ints(AWQ_ZEROS), scales(AWQ_SCALES));
        int[] rows = {0, 1, 6, 11, 15};
        int[][] expected = {
            {-272, 34, -204, -102, -340, -442, -68, -442},
            {33, 165, 66, 297, -300, -120, -450, -390},
            {84, 21, -147, -105, 39, 15, 24, 0},
            {20, 60, -60, 80, -286, -26, 104, -208},
            {156, 156, 156, 0, 114, 190, -57, 152}
        };
        for (int r = 0; r < rows.length; r++) {
            float[] out = new float[8];
            format.decode(parts, Shape.of(16, 8), rows[r], 0, 8, out, 0);
            assertSixtyFourths(expected[r], out);
        }
    }

    @Test
    void gptqMatricesInStacks() {
        for (int groupSize : new int[] {-1, 8, 12, 32}) {
            for (boolean plusOne : new boolean[] {false, true}) {
                for (boolean ordered : new boolean[] {false, true}) {
                    checkGptq(groupSize, plusOne, ordered);
                }
            }
        }
    }

    private static void checkGptq(int groupSize, boolean plusOne, boolean ordered) {
        int matrices = 2;
        int in = 40;
        int outputs = 24;
        int groups = groupSize == -1 ? 1 : (in + groupSize - 1) / groupSize;
        Random random = new Random(groupSize);
        int[] weight = new int[matrices * in / 8 * outputs];
        int[] zeros = new int[matrices * groups * outputs / 8];
        float[] scales = new float[matrices * groups * outputs];
        int[] order = new int[matrices * in];
        float[] expected = new float[matrices * outputs * in];
        for (int m = 0; m < matrices; m++) {
            for (int i = 0; i < in; i++) {
                order[m * in + i] = ordered ? random.nextInt(groups) : groupSize == -1 ? 0 : i / groupSize;
            }
            int[][] zero = new int[groups][outputs];
            for (int g = 0; g < groups; g++) {
                for (int o = 0; o < outputs; o++) {
                    zero[g][o] = random.nextInt(16);
                    zeros[(m * groups + g) * outputs / 8 + o / 8] |= zero[g][o] << 4 * (o % 8);
                    scales[(m * groups + g) * outputs + o] = random.nextFloat();
                }
            }
            for (int o = 0; o < outputs; o++) {
                for (int i = 0; i < in; i++) {
                    int q = random.nextInt(16);
                    weight[(m * in / 8 + i / 8) * outputs + o] |= q << 4 * (i % 8);
                    int g = order[m * in + i];
                    expected[(m * outputs + o) * in + i] = scales[(m * groups + g) * outputs + o]
                            * (q - zero[g][o] - (plusOne ? 1 : 0));
                }
            }
        }
        Gptq4 format = new Gptq4(groupSize, plusOne, ordered, ElementType.F32);
        List<MemorySegment> parts = List.of(
                TestParts.ints(weight), TestParts.ints(zeros), TestParts.floats(scales), TestParts.ints(order));
        List<MemorySegment> used = ordered ? parts : parts.subList(0, 3);
        TestParts.assertDecodes(expected, format, used, Shape.of(matrices, outputs, in));
    }

    @Test
    void awqMatricesInStacks() {
        for (int groupSize : new int[] {-1, 8, 12, 32}) {
            checkAwq(groupSize);
        }
    }

    private static void checkAwq(int groupSize) {
        int matrices = 2;
        int in = 40;
        int outputs = 24;
        int[] order = {0, 2, 4, 6, 1, 3, 5, 7};
        int groups = groupSize == -1 ? 1 : (in + groupSize - 1) / groupSize;
        Random random = new Random(groupSize);
        int[] weight = new int[matrices * in * outputs / 8];
        int[] zeros = new int[matrices * groups * outputs / 8];
        float[] scales = new float[matrices * groups * outputs];
        float[] expected = new float[matrices * outputs * in];
        for (int m = 0; m < matrices; m++) {
            int[][] zero = new int[groups][outputs];
            for (int g = 0; g < groups; g++) {
                for (int o = 0; o < outputs; o++) {
                    zero[g][o] = random.nextInt(16);
                    scales[(m * groups + g) * outputs + o] = random.nextFloat();
                }
                for (int n = 0; n < outputs; n++) {
                    int o = n / 8 * 8 + order[n % 8];
                    zeros[(m * groups + g) * outputs / 8 + n / 8] |= zero[g][o] << 4 * (n % 8);
                }
            }
            for (int i = 0; i < in; i++) {
                for (int n = 0; n < outputs; n++) {
                    int o = n / 8 * 8 + order[n % 8];
                    int q = random.nextInt(16);
                    weight[(m * in + i) * outputs / 8 + n / 8] |= q << 4 * (n % 8);
                    int g = groupSize == -1 ? 0 : i / groupSize;
                    expected[(m * outputs + o) * in + i] = scales[(m * groups + g) * outputs + o] * (q - zero[g][o]);
                }
            }
        }
        List<MemorySegment> parts = List.of(TestParts.ints(weight), TestParts.ints(zeros), TestParts.floats(scales));
        TestParts.assertDecodes(expected, new Awq4(groupSize, ElementType.F32), parts, Shape.of(matrices, outputs, in));
    }

    @Test
    void refusesAnOrderThatNamesNoGroup() {
        Gptq4 format = new Gptq4(8, true, true, ElementType.F16);
        for (int bad : new int[] {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            int[] order = GPTQ_ORDER.clone();
            order[9] = bad;
            List<MemorySegment> parts = List.of(gptqParts().get(0), gptqParts().get(1), gptqParts().get(2),
                    TestParts.ints(order));
            IndexOutOfBoundsException e = assertThrows(IndexOutOfBoundsException.class,
                    () -> format.decode(parts, Shape.of(8, 16), 0, 0, 16, new float[16], 0));
            assertEquals("g_idx names group " + bad + " of 2", e.getMessage());
        }
    }

    @Test
    void refusesWrongParameters() {
        assertThrows(IllegalArgumentException.class, () -> new Gptq4(0, true, true, ElementType.F16));
        assertThrows(IllegalArgumentException.class, () -> new Gptq4(8, true, true, ElementType.I32));
        assertThrows(IllegalArgumentException.class, () -> new Awq4(-2, ElementType.F16));
        assertThrows(IllegalArgumentException.class, () -> new Awq4(8, ElementType.PACKED));
    }

    private static List<MemorySegment> gptqParts() {
        return List.of(TestParts.ints(GPTQ_WEIGHT), TestParts.ints(GPTQ_ZEROS), scales(GPTQ_SCALES),
                TestParts.ints(GPTQ_ORDER));
    }

    private static MemorySegment scales(int[] sixtyFourths) {
        float[] values = new float[sixtyFourths.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = sixtyFourths[i] / 64f;
        }
        return MemorySegment.ofArray(Packer.F16.pack(values));
    }

    private static void assertRow(int[] expected, Gptq4 format, List<MemorySegment> parts, int row) {
        float[] out = new float[16];
        format.decode(parts, Shape.of(8, 16), row, 0, 16, out, 0);
        assertSixtyFourths(expected, out);
        float[] tail = new float[8];
        format.decode(parts, Shape.of(8, 16), row, 8, 8, tail, 0);
        assertSixtyFourths(Arrays.copyOfRange(expected, 8, 16), tail);
    }

    private static void assertSixtyFourths(int[] expected, float[] actual) {
        float[] values = new float[expected.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = expected[i] / 64f;
        }
        assertArrayEquals(values, actual);
    }
}
