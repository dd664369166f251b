package poot.core.quant;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;

/**
 * Plain floats in row order, one part: F32 (bits kept), F16 and BF16 (widened exactly).
 *
 * @param element F32, F16 or BF16
 */
record DenseFormat(ElementType element) implements Format {
    private static final int SCRATCH_ELEMENTS = 1024;
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** @throws IllegalArgumentException if {@code element} is not a float type */
    public DenseFormat {
        if (!element.isFloat()) {
            throw new IllegalArgumentException(element + " is not a float type");
        }
    }

    @Override
    public Encoding encoding() {
        return element == ElementType.F32 ? Encoding.F32 : element == ElementType.F16 ? Encoding.F16 : Encoding.BF16;
    }

    @Override
    public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
        Checks.checkWholeBlocks(encoding(), column, count);
        MemorySegment part = parts.getFirst();
        long from = (row * stored.dim(-1) + column) * element.bytes();
        if (element == ElementType.F32) {
            MemorySegment.copy(part, FLOAT, from, out, at, count);
            return;
        }
        if (element == ElementType.F16) {
            halves(part, from, count, out, at);
        } else {
            brains(part, from, count, out, at);
        }
    }

    private static void halves(MemorySegment part, long from, int count, float[] out, int at) {
        short[] scratch = new short[Math.min(count, SCRATCH_ELEMENTS)];
        for (int done = 0; done < count; done += scratch.length) {
            int now = Math.min(scratch.length, count - done);
            MemorySegment.copy(part, SHORT, from + 2L * done, scratch, 0, now);
            widenHalves(scratch, now, out, at + done);
        }
    }

    private static void brains(MemorySegment part, long from, int count, float[] out, int at) {
        byte[] scratch = new byte[2 * Math.min(count, SCRATCH_ELEMENTS)];
        for (int done = 0; done < count; done += SCRATCH_ELEMENTS) {
            int now = Math.min(SCRATCH_ELEMENTS, count - done);
            MemorySegment.copy(part, ValueLayout.JAVA_BYTE, from + 2L * done, scratch, 0, 2 * now);
            widenBrains(scratch, now, out, at + done);
        }
    }

    /** Element {@code index} of a part of {@code element}s: how the scales of the multi-part formats are read. */
    static float read(ElementType element, MemorySegment part, long index) {
        return switch (element) {
            case F32 -> part.get(FLOAT, 4 * index);
            case F16 -> Float.float16ToFloat(part.get(SHORT, 2 * index));
            case BF16 -> Float.intBitsToFloat(part.get(SHORT, 2 * index) << 16);
            case I32, U32, BOOL, PACKED -> throw new IllegalArgumentException(element + " is not a float type");
        };
    }

    private static void widenHalves(short[] from, int count, float[] out, int at) {
        for (int i = 0; i < count; i++) {
            out[at + i] = Float.float16ToFloat(from[i]);
        }
    }

    private static void widenBrains(byte[] from, int count, float[] out, int at) {
        for (int i = 0; i < count; i++) {
            out[at + i] = Float.intBitsToFloat(Fields.u16(from, 2 * i) << 16);
        }
    }
}
