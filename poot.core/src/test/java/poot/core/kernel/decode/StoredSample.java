package poot.core.kernel.decode;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Scales;
import poot.api.graph.Shape;
import poot.core.quant.QuantFormats;

/** A stored weight with random codes and finite scales, as test data. */
public record StoredSample(String name, StoredMatrix stored, Format format, List<MemorySegment> parts) {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The shape as formats see it. */
    public Shape shape() {
        return stored.matrices() == 1 ? Shape.of(stored.rows(), stored.columns())
                : Shape.of(stored.matrices(), stored.rows(), stored.columns());
    }

    /** A row as its format defines it. */
    public float[] row(long row) {
        float[] out = new float[stored.columns()];
        format.decode(parts, shape(), row, 0, out.length, out, 0);
        return out;
    }

    /** Bytes of a one-part encoding. */
    public static StoredSample of(Encoding e, int rows, int columns, byte[] bytes) {
        return new StoredSample(e.name(), new StoredMatrix(e, rows, columns), QuantFormats.of(e), List.of(MemorySegment.ofArray(bytes)));
    }

    /** Random blocks of a one-part encoding. */
    public static StoredSample of(Encoding e, int rows, int columns, long seed) {
        Random random = new Random(seed + e.ordinal());
        byte[] bytes = new byte[rows * (columns / e.blockElements()) * e.blockBytes()];
        random.nextBytes(bytes);
        MemorySegment all = MemorySegment.ofArray(bytes);
        for (int at = 0; at < bytes.length; at += e.blockBytes()) {
            tame(e, all.asSlice(at, e.blockBytes()), random);
        }
        return of(e, rows, columns, bytes);
    }

    private static void tame(Encoding e, MemorySegment block, Random random) {
        int[] halves = switch (e) {
            case F16 -> new int[] {0};
            case Q1_0, Q2_0, Q4_0, Q5_0, Q8_0, IQ1_S, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ4_NL, IQ4_XS -> new int[] {0};
            case Q4_1, Q5_1, Q4_K, Q5_K -> new int[] {0, 2};
            case Q2_K -> new int[] {80, 82};
            case Q3_K -> new int[] {108};
            case Q6_K -> new int[] {208};
            case TQ1_0 -> new int[] {52};
            case TQ2_0 -> new int[] {64};
            case F32, BF16, IQ1_M, MXFP4, NVFP4, MXFP4_PAIRS, GPTQ_4, AWQ_4, FP8_CHANNEL, FP8_BLOCK -> new int[0];
        };
        for (int at : halves) {
            block.set(SHORT, at, half(random));
        }
        switch (e) {
            case F32 -> block.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, (float) random.nextGaussian());
            case BF16 -> block.set(SHORT, 0, (short) (Float.floatToRawIntBits((float) random.nextGaussian()) >>> 16));
            case MXFP4 -> block.set(ValueLayout.JAVA_BYTE, 0, (byte) (120 + random.nextInt(8)));
            case NVFP4 -> IntStream.range(0, 4).forEach(i -> block.set(ValueLayout.JAVA_BYTE, i, (byte) (random.nextInt(64))));
            case IQ1_M -> {
                int d = half(random);
                for (int i = 0; i < 4; i++) {
                    block.set(SHORT, 48 + 2 * i, (short) (block.get(SHORT, 48 + 2 * i) & 0xFFF | (d >> 4 * i & 15) << 12));
                }
            }
            default -> { }
        }
    }

    private static short half(Random random) {
        return Float.floatToFloat16((0.5f + random.nextFloat()) / 64 * (random.nextBoolean() ? 1 : -1));
    }

    /** Weights of the formats of several parts. */
    public static List<StoredSample> severalParts(int matrices, int rows, int columns, long seed) {
        List<StoredSample> out = new ArrayList<>();
        int rows8 = (rows + 7) / 8 * 8;
        int columns8 = (columns + 7) / 8 * 8;
        for (int group : new int[] {-1, 8, 20}) {
            out.add(gptq(matrices, rows8, columns8, group, false, ElementType.F16, seed));
            out.add(awq(matrices, rows8, columns8, group, ElementType.F32, seed));
        }
        out.add(gptq(matrices, rows8, columns8, 16, true, ElementType.BF16, seed));
        out.add(channel(matrices, rows, columns, true, ElementType.BF16, seed));
        out.add(channel(matrices, rows, columns, false, ElementType.F32, seed));
        out.add(block(matrices, rows, columns, 5, 16, seed));
        out.add(block(matrices, rows, columns, 128, 6, seed));
        out.add(pairs(matrices, rows, (columns + 31) / 32 * 32, seed));
        return out;
    }

    private static StoredSample gptq(int matrices, int rows, int columns, int group, boolean ordered, ElementType type, long seed) {
        int groups = group == -1 ? 1 : Math.ceilDiv(columns, group);
        List<MemorySegment> parts = new ArrayList<>(List.of(bytes(4 * matrices * columns / 8 * rows, seed),
                bytes(4 * matrices * groups * rows / 8, seed + 1), scales(matrices * groups * rows, type, seed)));
        if (ordered) {
            parts.add(MemorySegment.ofArray(new Random(seed).ints((long) matrices * columns, 0, groups).toArray()));
        }
        Format f = QuantFormats.gptq(group, ordered, ordered, type);
        return sample("GPTQ " + group + (ordered ? " ordered" : ""), f, matrices, rows, columns, parts);
    }

    private static StoredSample awq(int matrices, int rows, int columns, int group, ElementType type, long seed) {
        int groups = group == -1 ? 1 : Math.ceilDiv(columns, group);
        return sample("AWQ " + group, QuantFormats.awq(group, type), matrices, rows, columns,
                List.of(bytes(4 * matrices * columns * rows / 8, seed), bytes(4 * matrices * groups * rows / 8, seed + 1),
                        scales(matrices * groups * rows, type, seed)));
    }

    private static StoredSample channel(int matrices, int rows, int columns, boolean each, ElementType type, long seed) {
        return sample("FP8_CHANNEL " + each, QuantFormats.fp8Channel(type), matrices, rows, columns,
                List.of(eights(matrices * rows * columns, seed), scales(each ? matrices * rows : 1, type, seed)));
    }

    private static StoredSample block(int matrices, int rows, int columns, int blockRows, int blockColumns, long seed) {
        int scales = matrices * Math.ceilDiv(rows, blockRows) * Math.ceilDiv(columns, blockColumns);
        return sample("FP8_BLOCK " + blockRows + " " + blockColumns, QuantFormats.fp8Block(blockRows, blockColumns, ElementType.F32), matrices,
                rows, columns, List.of(eights(matrices * rows * columns, seed), scales(scales, ElementType.F32, seed)));
    }

    private static StoredSample pairs(int matrices, int rows, int columns, long seed) {
        byte[] exponents = new byte[matrices * rows * columns / 32];
        Random random = new Random(seed);
        for (int i = 0; i < exponents.length; i++) {
            exponents[i] = (byte) (120 + random.nextInt(8));
        }
        return sample("MXFP4_PAIRS", QuantFormats.mxfp4Pairs(), matrices, rows, columns,
                List.of(bytes(matrices * rows * columns / 2, seed), MemorySegment.ofArray(exponents)));
    }

    private static StoredSample sample(String name, Format f, int matrices, int rows, int columns, List<MemorySegment> parts) {
        Shape shape = matrices == 1 ? Shape.of(rows, columns) : Shape.of(matrices, rows, columns);
        Optional<Scales> scales = f.scales(parts, shape);
        return new StoredSample(name, new StoredMatrix(f.encoding(), scales, matrices, rows, columns), f, parts);
    }

    private static MemorySegment bytes(int count, long seed) {
        byte[] out = new byte[count];
        new Random(seed).nextBytes(out);
        return MemorySegment.ofArray(out);
    }

    /** E4M3 without NaN. */
    private static MemorySegment eights(int count, long seed) {
        byte[] out = new byte[count];
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            int code = random.nextInt(256);
            out[i] = (byte) ((code & 0x7F) == 0x7F ? code ^ 1 : code);
        }
        return MemorySegment.ofArray(out);
    }

    private static MemorySegment scales(int count, ElementType type, long seed) {
        Random random = new Random(seed + 2);
        MemorySegment out = MemorySegment.ofArray(new byte[count * type.bytes()]);
        for (int i = 0; i < count; i++) {
            float value = (0.5f + random.nextFloat()) / 16;
            if (type == ElementType.F32) {
                out.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, value);
            } else {
                out.set(SHORT, 2L * i, type == ElementType.F16 ? Float.floatToFloat16(value) : (short) (Float.floatToRawIntBits(value) >>> 16));
            }
        }
        return out;
    }

    @Override
    public String toString() {
        return name + " " + shape();
    }
}
