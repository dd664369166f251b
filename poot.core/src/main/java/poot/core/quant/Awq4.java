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
 * AWQ, 4 bits, the GEMM layout: {@code y[o,i] = scales[g,o] (q[i,o] - zero[g,o])}, in F32, where g = i / groupSize.
 *
 * <p>Parts, in this order: {@code qweight} I32 [in, out/8]; {@code qzeros} I32 [groups, out/8]; {@code scales}
 * [groups, out]. Of the eight outputs of a word the even ones come first: outputs 0, 2, 4, 6, 1, 3, 5, 7 lie in nibbles
 * 0..7, lowest first. The logical shape is [out, in]; leading axes (experts) stack whole matrices of every part.
 * Source: the AutoAWQ checkpoint layout, version "gemm".
 *
 * @param groupSize inputs that share a scale; -1 where one group covers all
 * @param scaleType how the scales are stored: F16, BF16 or F32
 */
record Awq4(int groupSize, ElementType scaleType) implements Format {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** @throws IllegalArgumentException if the group size is neither positive nor -1, or the scale type no float */
    public Awq4 {
        Checks.checkGroupSize(groupSize);
        Checks.checkScaleType(scaleType);
    }

    @Override
    public Encoding encoding() {
        return Encoding.AWQ_4;
    }

    @Override
    public Optional<Scales> scales(List<MemorySegment> parts, Shape stored) {
        return Optional.of(new Scales(1, groupSize == -1 ? Scales.ALL : groupSize, scaleType));
    }

    /** Groups along an input axis of the given extent. */
    public int groups(int inputs) {
        return groupSize == -1 ? 1 : Math.ceilDiv(inputs, groupSize);
    }

    @Override
    public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
        Checks.checkWholeBlocks(encoding(), column, count);
        int inputs = stored.dim(-1);
        int outputs = stored.dim(-2);
        long matrix = row / outputs;
        int output = (int) (row % outputs);
        int wordsPerRow = outputs / 8;
        int word = output / 8;
        int shift = 4 * nibble(output % 8);
        long firstInput = matrix * inputs;
        long firstGroup = matrix * groups(inputs);
        int end = column + count;
        for (int c = column; c < end; ) {
            int group = groupSize == -1 ? 0 : c / groupSize;
            int next = groupSize == -1 ? end : (int) Math.min(end, (group + 1L) * groupSize);
            long scaleRow = firstGroup + group;
            int zero = parts.get(1).get(INT, 4 * (scaleRow * wordsPerRow + word)) >>> shift & 15;
            float scale = DenseFormat.read(scaleType, parts.get(2), scaleRow * outputs + output);
            for (; c < next; c++) {
                int codes = parts.get(0).get(INT, 4 * ((firstInput + c) * wordsPerRow + word));
                out[at + c - column] = scale * ((codes >>> shift & 15) - zero);
            }
        }
    }

    /** Where output {@code o} of eight lies: the even ones in nibbles 0..3, the odd ones in 4..7. */
    private static int nibble(int o) {
        return o / 2 + 4 * (o % 2);
    }
}
