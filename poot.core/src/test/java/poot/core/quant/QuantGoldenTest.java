package poot.core.quant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;

/** Every one-part encoding decodes as ggml does, bit for bit. */
class QuantGoldenTest {
    private static final int COLUMNS = 512;

    static Stream<Encoding> onePart() {
        return Arrays.stream(Encoding.values()).filter(e -> e.blockBytes() > 1);
    }

    static Stream<Encoding> quantized() {
        return onePart().filter(e -> !e.isDense());
    }

    @Test
    void coversTwentyEightEncodings() {
        assertEquals(28, onePart().count());
        assertThrows(IllegalArgumentException.class, () -> QuantFormats.of(Encoding.GPTQ_4));
    }

    @ParameterizedTest
    @MethodSource("onePart")
    void decodesWhatTheQuantizerWrote(Encoding encoding) {
        GoldenTensors golden = open(encoding);
        assertBits(golden.floats("dequant"), rows(encoding, golden.bytes("bytes")));
    }

    @ParameterizedTest
    @MethodSource("quantized")
    void decodesRandomCodes(Encoding encoding) {
        GoldenTensors golden = open(encoding);
        assertBits(golden.floats("rand_dequant"), rows(encoding, golden.bytes("rand_bytes")));
    }

    @ParameterizedTest
    @MethodSource("onePart")
    void dotsWithinOneThousandth(Encoding encoding) {
        GoldenTensors golden = open(encoding);
        float[] decoded = rows(encoding, golden.bytes("bytes"));
        float[] act = golden.floats("act");
        float[] expected = golden.floats("dot");
        assertEquals(decoded.length / COLUMNS, expected.length);
        for (int r = 0; r < expected.length; r++) {
            float sum = 0;
            for (int i = 0; i < COLUMNS; i++) {
                sum += decoded[r * COLUMNS + i] * act[i];
            }
            assertEquals(expected[r], sum, 1e-3 * Math.abs(expected[r]), "row " + r);
        }
    }

    @ParameterizedTest
    @MethodSource("onePart")
    void decodesRunsLikeWholeRows(Encoding encoding) {
        GoldenTensors golden = open(encoding);
        MemorySegment packed = golden.bytes("bytes");
        float[] whole = rows(encoding, packed);
        Format format = QuantFormats.of(encoding);
        int step = encoding.blockElements();
        Shape stored = Shape.of(whole.length / COLUMNS, COLUMNS);
        int longer = Math.max(step, 37 / step * step);
        for (int count : new int[] {0, step, longer}) {
            for (int column = 0; column + count <= COLUMNS; column += step) {
                float[] out = new float[count + 3];
                format.decode(List.of(packed), stored, 2, column, count, out, 2);
                float[] expected = new float[count + 3];
                System.arraycopy(whole, 2 * COLUMNS + column, expected, 2, count);
                assertBits(expected, out);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("onePart")
    void refusesPartsOfBlocksAndRunsOutsideThePart(Encoding encoding) {
        Format format = QuantFormats.of(encoding);
        int step = encoding.blockElements();
        List<MemorySegment> one = List.of(MemorySegment.ofArray(new byte[encoding.blockBytes()]));
        Shape stored = Shape.of(1, step);
        float[] out = new float[2 * step];
        format.decode(one, stored, 0, 0, step, out, 0);
        assertThrows(IndexOutOfBoundsException.class, () -> format.decode(one, stored, 1, 0, step, out, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> format.decode(one, stored, 0, 0, 2 * step, out, 0));
        assertThrows(IllegalArgumentException.class, () -> format.decode(one, stored, 0, -step, step, out, 0));
        if (step > 1) {
            assertThrows(IllegalArgumentException.class, () -> format.decode(one, stored, 0, 0, step - 1, out, 0));
        }
    }

    @ParameterizedTest
    @MethodSource("onePart")
    void decodesAnyBytes(Encoding encoding) {
        byte[] bytes = new byte[64 * encoding.blockBytes()];
        new Random(6).nextBytes(bytes);
        Arrays.fill(bytes, 0, 2 * encoding.blockBytes(), (byte) 0xFF);
        int columns = 64 * encoding.blockElements();
        float[] out = new float[columns];
        List<MemorySegment> parts = List.of(MemorySegment.ofArray(bytes));
        QuantFormats.of(encoding).decode(parts, Shape.of(1, columns), 0, 0, columns, out, 0);
    }

    @Test
    void infiniteAndUndefinedScalesAreValues() {
        byte[] block = new byte[34];
        block[1] = 0x7C;
        block[2] = 1;
        block[3] = -1;
        float[] out = new float[32];
        List<MemorySegment> parts = List.of(MemorySegment.ofArray(block));
        QuantFormats.of(Encoding.Q8_0).decode(parts, Shape.of(1, 32), 0, 0, 32, out, 0);
        assertEquals(Float.POSITIVE_INFINITY, out[0]);
        assertEquals(Float.NEGATIVE_INFINITY, out[1]);
        assertEquals(Float.NaN, out[2]);
        block[0] = 1;
        QuantFormats.of(Encoding.Q8_0).decode(parts, Shape.of(1, 32), 0, 0, 32, out, 0);
        assertEquals(Float.NaN, out[0]);
    }

    @Test
    void longRowsCrossTheScratchBuffer() {
        float[] row = new float[20_000 / 256 * 256];
        for (int i = 0; i < row.length; i++) {
            row[i] = (i * 37 % 255 - 127) / 4f;
        }
        for (Packer packer : Packer.values()) {
            Format format = QuantFormats.of(packer.encoding());
            List<MemorySegment> parts = List.of(MemorySegment.ofArray(packer.pack(row)));
            Shape stored = Shape.of(1, row.length);
            float[] whole = new float[row.length];
            format.decode(parts, stored, 0, 0, row.length, whole, 0);
            float[] pieces = new float[row.length];
            for (int c = 0; c < row.length; c += 256) {
                format.decode(parts, stored, 0, c, 256, pieces, c);
            }
            assertBits(pieces, whole);
        }
    }

    private static GoldenTensors open(Encoding encoding) {
        assumeTrue(Files.isDirectory(GoldenTensors.folder()), "golden files of packed formats are not present");
        return GoldenTensors.open(encoding.name().toLowerCase(Locale.ROOT).replaceFirst("_k$", "_K"));
    }

    private static float[] rows(Encoding encoding, MemorySegment packed) {
        Format format = QuantFormats.of(encoding);
        int rows = (int) (packed.byteSize() / (COLUMNS / encoding.blockElements() * encoding.blockBytes()));
        float[] out = new float[rows * COLUMNS];
        for (int r = 0; r < rows; r++) {
            format.decode(List.of(packed), Shape.of(rows, COLUMNS), r, 0, COLUMNS, out, r * COLUMNS);
        }
        return out;
    }

    private static void assertBits(float[] expected, float[] actual) {
        assertEquals(expected.length, actual.length);
        for (int i = 0; i < expected.length; i++) {
            int index = i;
            assertEquals(Float.floatToRawIntBits(expected[i]), Float.floatToRawIntBits(actual[i]),
                    () -> "element " + index + ": expected " + expected[index] + ", was " + actual[index]);
        }
    }
}
