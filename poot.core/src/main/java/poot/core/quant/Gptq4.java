package poot.core.quant;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Scales;
import poot.api.graph.Shape;

/**
 * GPTQ, 4 bits: {@code y[o,i] = scales[g,o] (q[i,o] - zero[g,o])}, in F32, where g is the group of input i.
 *
 * <p>Parts, in this order: {@code qweight} I32 [in/8, out], input i in nibble i mod 8 (lowest first) of word i/8;
 * {@code qzeros} I32 [groups, out/8], output o in nibble o mod 8 of word o/8; {@code scales} [groups, out];
 * with an order also {@code g_idx} I32 [in], the group of each input; without one, i's group is i / groupSize.
 * The logical shape is [out, in]; leading axes (experts) stack whole matrices of every part.
 * Source: the AutoGPTQ and GPTQModel checkpoint layouts: {@code gptq} stores each zero point minus one, and a stored 15
 * means 16; {@code gptq_v2} stores it as it is.
 *
 * @param groupSize   inputs that share a scale; -1 where one group covers all
 * @param zeroPlusOne whether one is added to each stored zero point ({@code checkpoint_format} "gptq")
 * @param hasOrder    whether {@code g_idx} is the fourth part
 * @param scaleType   how the scales are stored: F16, BF16 or F32
 */
record Gptq4(int groupSize, boolean zeroPlusOne, boolean hasOrder, ElementType scaleType) implements Format {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** @throws IllegalArgumentException if the group size is neither positive nor -1, or the scale type no float */
    public Gptq4 {
        Checks.checkGroupSize(groupSize);
        Checks.checkScaleType(scaleType);
    }

    @Override
    public Encoding encoding() {
        return Encoding.GPTQ_4;
    }

    @Override
    public Optional<Scales> scales(List<MemorySegment> parts, Shape stored) {
        int columns = groupSize == -1 ? Scales.ALL : groupSize;
        return Optional.of(new Scales(1, columns, scaleType, zeroPlusOne ? 1 : 0, hasOrder));
    }

    /** Groups along an input axis of the given extent. */
    public int groups(int inputs) {
        return groupSize == -1 ? 1 : Math.ceilDiv(inputs, groupSize);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IndexOutOfBoundsException if the run lies outside a part, or {@code g_idx} names a group there is not
     */
    @Override
    public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
        Checks.checkWholeBlocks(encoding(), column, count);
        int inputs = stored.dim(-1);
        int outputs = stored.dim(-2);
        int groups = groups(inputs);
        long matrix = row / outputs;
        int output = (int) (row % outputs);
        long words = matrix * (inputs / 8) * outputs + output;
        int group = -1;
        int zero = 0;
        float scale = 0;
        for (int i = 0; i < count; i += 8) {
            int codes = parts.get(0).get(INT, 4 * (words + (long) ((column + i) / 8) * outputs));
            for (int j = 0; j < 8; j++) {
                int g = group(parts, matrix * inputs, column + i + j);
                if (g != group) {
                    group = Checks.checkGroup(g, groups);
                    long scaleRow = matrix * groups + g;
                    zero = zero(parts.get(1), scaleRow * (outputs / 8), output);
                    scale = DenseFormat.read(scaleType, parts.get(2), scaleRow * outputs + output);
                }
                out[at + i + j] = scale * ((codes >>> 4 * j & 15) - zero);
            }
        }
    }

    private int group(List<MemorySegment> parts, long firstInput, int input) {
        if (hasOrder) {
            return parts.get(3).get(INT, 4 * (firstInput + input));
        }
        return groupSize == -1 ? 0 : input / groupSize;
    }

    private int zero(MemorySegment zeros, long firstWord, int output) {
        int stored = zeros.get(INT, 4 * (firstWord + output / 8)) >>> 4 * (output % 8) & 15;
        return zeroPlusOne ? stored + 1 : stored;
    }
}
