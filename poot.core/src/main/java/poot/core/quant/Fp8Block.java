package poot.core.quant;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Scales;
import poot.api.graph.Shape;

/**
 * FP8 elements with a scale per rectangle:
 * {@code y[o,i] = e4m3(weight[o,i]) scale_inv[o / blockRows, i / blockColumns]}, in F32.
 *
 * <p>Parts: {@code weight} [out, in] E4M3 bytes; {@code scale_inv} [ceil(out / blockRows), ceil(in / blockColumns)].
 * Leading axes (experts) stack whole matrices of both. Source: the {@code fp8} fine-grained layout of transformers,
 * first published with DeepSeek-V3 ({@code weight_scale_inv}: despite its name a factor).
 *
 * @param blockRows    rows of a rectangle, positive
 * @param blockColumns columns of a rectangle, positive
 * @param scaleType    how the scales are stored: F32, F16 or BF16
 */
record Fp8Block(int blockRows, int blockColumns, ElementType scaleType) implements Format {
    /** @throws IllegalArgumentException if an extent is not positive, or the scale type is not a float type */
    public Fp8Block {
        if (blockRows < 1 || blockColumns < 1) {
            throw new IllegalArgumentException("FP8 blocks of " + blockRows + " x " + blockColumns);
        }
        Checks.checkScaleType(scaleType);
    }

    @Override
    public Encoding encoding() {
        return Encoding.FP8_BLOCK;
    }

    @Override
    public Optional<Scales> scales(List<MemorySegment> parts, Shape stored) {
        return Optional.of(new Scales(blockRows, blockColumns, scaleType));
    }

    @Override
    public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
        Checks.checkWholeBlocks(encoding(), column, count);
        int columns = stored.dim(-1);
        int rows = stored.rank() < 2 ? 1 : stored.dim(-2);
        long matrix = row / rows;
        long scaleRow = matrix * Math.ceilDiv(rows, blockRows) + row % rows / blockRows;
        long firstScale = scaleRow * Math.ceilDiv(columns, blockColumns);
        int end = column + count;
        for (int c = column; c < end; ) {
            int block = c / blockColumns;
            int next = (int) Math.min(end, (block + 1L) * blockColumns);
            float scale = DenseFormat.read(scaleType, parts.get(1), firstScale + block);
            Fp8.decode(parts.get(0), row * columns + c, next - c, scale, out, at + c - column);
            c = next;
        }
    }
}
