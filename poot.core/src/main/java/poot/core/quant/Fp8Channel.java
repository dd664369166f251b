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
 * FP8 elements with a scale per row, or one for the whole tensor: {@code y[o,i] = e4m3(weight[o,i]) scale[o]}, in F32.
 *
 * <p>Parts: {@code weight} [out, in] E4M3 bytes; {@code scale} [out], [out, 1], or one element. Source: the
 * compressed-tensors {@code float-quantized} layout ({@code weight_scale}).
 *
 * @param scaleType how the scales are stored: F32, F16 or BF16
 */
record Fp8Channel(ElementType scaleType) implements Format {
    /** @throws IllegalArgumentException if the scale type is not a float type */
    public Fp8Channel {
        Checks.checkScaleType(scaleType);
    }

    @Override
    public Encoding encoding() {
        return Encoding.FP8_CHANNEL;
    }

    @Override
    public Optional<Scales> scales(List<MemorySegment> parts, Shape stored) {
        return Optional.of(new Scales(isOne(parts.get(1)) ? Scales.ALL : 1, Scales.ALL, scaleType));
    }

    @Override
    public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
        Checks.checkWholeBlocks(encoding(), column, count);
        MemorySegment scales = parts.get(1);
        float scale = DenseFormat.read(scaleType, scales, isOne(scales) ? 0 : row);
        Fp8.decode(parts.get(0), row * stored.dim(-1) + column, count, scale, out, at);
    }

    private boolean isOne(MemorySegment scales) {
        return scales.byteSize() == scaleType.bytes();
    }
}
