package poot.quant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.core.quant.QuantFormats;
import poot.golden.Safetensors;
import poot.golden.SharedData;

/** Every packed format through a backend's matrix product. */
public abstract class PackedProductSuite {
    private static final int ROWS = 24;
    private static final int COLUMNS = 256;
    private static final Set<Encoding> SEVERAL_PARTS = EnumSet.of(Encoding.GPTQ_4, Encoding.AWQ_4, Encoding.FP8_CHANNEL,
            Encoding.FP8_BLOCK, Encoding.MXFP4_PAIRS);

    private final Opening backend;
    private final int[] repeats;

    /**
     * Over a backend.
     *
     * @param repeats how often the stored rows are repeated, one run each
     */
    protected PackedProductSuite(Opening backend, int... repeats) {
        this.backend = backend;
        this.repeats = repeats.clone();
    }

    /** Opens what is tested. */
    @FunctionalInterface
    public interface Opening {
        /** Opens it; whoever asked closes it. */
        Executor open() throws ExecutorException;
    }

    /** The encodings of one part. */
    public static Stream<Encoding> onePart() {
        return EnumSet.complementOf(EnumSet.copyOf(SEVERAL_PARTS)).stream();
    }

    /** The stored products of reference blocks, and the product of blocks of random codes: few rows, and many. */
    @ParameterizedTest
    @MethodSource("poot.quant.PackedProductSuite#onePart")
    public void storedProducts(Encoding encoding) throws Exception {
        Safetensors golden = golden(encoding);
        Format format = QuantFormats.of(encoding);
        float[] act = golden.entry("act").floats();
        float[] dot = golden.entry("dot").floats();
        try (Arena arena = Arena.ofShared(); Executor executor = backend.open()) {
            for (int times : repeats) {
                Weight w = weight(format, 4 * times, act.length, bytes(arena, golden.entry("bytes").bytes(), times));
                float[] y = PackedProduct.of(w, act, 1, executor);
                float[] dense = PackedProduct.decoded(w);
                for (int i = 0; i < y.length; i++) {
                    double cancelled = PackedProduct.rounding(dense, i * act.length, act, 0, act.length);
                    assertEquals(dot[i % 4], y[i], 1e-3 * Math.abs(dot[i % 4]) + cancelled, encoding + " row " + i);
                }
                if (golden.has("rand_bytes")) {
                    PackedProduct.check(encoding + " random codes", weight(format, 8 * times, act.length,
                            bytes(arena, golden.entry("rand_bytes").bytes(), times)), act, executor);
                }
            }
        }
    }

    private static Safetensors golden(Encoding encoding) throws IOException {
        String[] names = SharedData.require("golden/quant").toFile().list((dir, name) ->
                name.toLowerCase(Locale.ROOT).equals(encoding.name().toLowerCase(Locale.ROOT) + ".safetensors"));
        assertTrue(names != null && names.length == 1, "no golden for " + encoding);
        return Safetensors.read(SharedData.require("golden/quant/" + names[0]));
    }

    /** Products of random codes of GPTQ. */
    @Test
    public void gptq() throws Exception {
        int groups = COLUMNS / 64;
        int[] any = new Random(4).ints(COLUMNS, 0, groups).toArray();
        int[] whole = IntStream.range(0, COLUMNS).map(i -> i * 37 % COLUMNS / 64).toArray();
        for (int[] order : new int[][] {{}, any, whole}) {
            boolean ordered = order.length > 0;
            try (Arena arena = Arena.ofShared(); Executor executor = backend.open()) {
                List<MemorySegment> parts = new ArrayList<>(List.of(codes(arena, COLUMNS / 8 * ROWS, 1),
                        codes(arena, groups * ROWS / 8, 2), halves(arena, groups * ROWS, 3)));
                if (ordered) {
                    MemorySegment part = arena.allocate(4L * COLUMNS, 64);
                    MemorySegment.copy(order, 0, part, ValueLayout.JAVA_INT, 0, COLUMNS);
                    parts.add(part);
                }
                Format format = QuantFormats.gptq(64, true, ordered, ElementType.F16);
                PackedProduct.check("gptq, order " + (order == whole ? "of whole groups" : ordered),
                        weight(format, ROWS, COLUMNS, parts), activations(), executor);
            }
        }
    }

    /** Products of random codes of AWQ. */
    @Test
    public void awq() throws Exception {
        try (Arena arena = Arena.ofShared(); Executor executor = backend.open()) {
            int groups = COLUMNS / 64;
            List<MemorySegment> parts = List.of(codes(arena, COLUMNS * ROWS / 8, 1), codes(arena, groups * ROWS / 8, 2),
                    halves(arena, groups * ROWS, 3));
            Format format = QuantFormats.awq(64, ElementType.F16);
            PackedProduct.check("awq", weight(format, ROWS, COLUMNS, parts), activations(), executor);
        }
    }

    /** Products of random codes of FP8. */
    @Test
    public void eightBitFloats() throws Exception {
        try (Arena arena = Arena.ofShared(); Executor executor = backend.open()) {
            MemorySegment elements = eightBits(arena, ROWS * COLUMNS);
            PackedProduct.check("fp8 by channel", weight(QuantFormats.fp8Channel(ElementType.F16), ROWS, COLUMNS,
                    List.of(elements, halves(arena, ROWS, 3))), activations(), executor);
            PackedProduct.check("fp8 by block", weight(QuantFormats.fp8Block(16, 100, ElementType.F16), ROWS, COLUMNS,
                    List.of(elements, halves(arena, 2 * 3, 3))), activations(), executor);
        }
    }

    /** The stored products of MXFP4, and products of its random codes, in two parts. */
    @Test
    public void pairs() throws Exception {
        Safetensors golden = golden(Encoding.MXFP4);
        float[] act = golden.entry("act").floats();
        float[] dot = golden.entry("dot").floats();
        try (Arena arena = Arena.ofShared(); Executor executor = backend.open()) {
            Weight w = weight(QuantFormats.mxfp4Pairs(), 4, act.length, pairs(arena, golden.entry("bytes").bytes()));
            float[] y = PackedProduct.of(w, act, 1, executor);
            float[] dense = PackedProduct.decoded(w);
            for (int i = 0; i < y.length; i++) {
                double cancelled = PackedProduct.rounding(dense, i * act.length, act, 0, act.length);
                assertEquals(dot[i], y[i], 1e-3 * Math.abs(dot[i]) + cancelled, "row " + i);
            }
            PackedProduct.check("mxfp4 in two parts, random codes", weight(QuantFormats.mxfp4Pairs(), 8, act.length,
                    pairs(arena, golden.entry("rand_bytes").bytes())), act, executor);
        }
    }

    /** Blocks of an exponent and 16 bytes, of elements i and i + 16 each, as codes two neighbours a byte, and exponents. */
    private static List<MemorySegment> pairs(Arena arena, byte[] blocks) {
        int count = blocks.length / Encoding.MXFP4.blockBytes();
        MemorySegment codes = arena.allocate(16L * count, 64);
        MemorySegment exponents = arena.allocate(count, 64);
        for (int i = 0; i < count; i++) {
            int from = i * Encoding.MXFP4.blockBytes();
            exponents.set(ValueLayout.JAVA_BYTE, i, blocks[from]);
            for (int j = 0; j < 8; j++) {
                int a = blocks[from + 1 + 2 * j];
                int b = blocks[from + 2 + 2 * j];
                codes.set(ValueLayout.JAVA_BYTE, 16L * i + j, (byte) (a & 15 | b << 4));
                codes.set(ValueLayout.JAVA_BYTE, 16L * i + 8 + j, (byte) (a >> 4 & 15 | b & 0xf0));
            }
        }
        return List.of(codes, exponents);
    }

    private static Weight weight(Format format, int rows, int columns, List<MemorySegment> parts) {
        return Weight.whole("weight", format, Shape.of(rows, columns), parts);
    }

    private static List<MemorySegment> bytes(Arena arena, byte[] data, int times) {
        MemorySegment out = arena.allocate((long) times * data.length, 64);
        for (int i = 0; i < times; i++) {
            MemorySegment.copy(data, 0, out, ValueLayout.JAVA_BYTE, (long) i * data.length, data.length);
        }
        return List.of(out);
    }

    private static MemorySegment codes(Arena arena, int words, long seed) {
        MemorySegment out = arena.allocate(4L * words, 64);
        MemorySegment.copy(new Random(seed).ints(words).toArray(), 0, out, ValueLayout.JAVA_INT, 0, words);
        return out;
    }

    /** Scales in F16, near 1/16. */
    private static MemorySegment halves(Arena arena, int count, long seed) {
        Random random = new Random(seed);
        MemorySegment out = arena.allocate(2L * count, 64);
        for (int i = 0; i < count; i++) {
            out.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16((1 + random.nextFloat()) / 16));
        }
        return out;
    }

    /** Random E4M3 elements without the two NaN codes. */
    private static MemorySegment eightBits(Arena arena, int count) {
        Random random = new Random(5);
        MemorySegment out = arena.allocate(count, 64);
        for (int i = 0; i < count; i++) {
            int code = random.nextInt(256);
            out.set(ValueLayout.JAVA_BYTE, i, (byte) ((code & 0x7f) == 0x7f ? code ^ 1 : code));
        }
        return out;
    }

    private static float[] activations() {
        Random random = new Random(6);
        float[] out = new float[COLUMNS];
        for (int i = 0; i < out.length; i++) {
            out[i] = (float) random.nextGaussian();
        }
        return out;
    }
}
