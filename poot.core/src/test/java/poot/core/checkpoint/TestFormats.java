package poot.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;

/** Formats for tests of the readers: the dense ones decode; the packed ones only say what they were asked to be. */
final class TestFormats implements Formats {
    /** A format that is its encoding and the parameters it was made with. */
    record Named(Encoding encoding, String parameters) implements Format {
        @Override
        public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
            throw new AssertionError("the readers decode nothing: " + this);
        }
    }

    /** F32, F16 and BF16. */
    record Dense(Encoding encoding) implements Format {
        private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
        private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

        @Override
        public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
            MemorySegment bytes = parts.getFirst();
            long first = row * stored.dim(-1) + column;
            for (int i = 0; i < count; i++) {
                long e = first + i;
                out[at + i] = switch (encoding.element()) {
                    case F32 -> bytes.get(FLOAT, 4 * e);
                    case F16 -> Float.float16ToFloat(bytes.get(SHORT, 2 * e));
                    case BF16 -> Float.intBitsToFloat(bytes.get(SHORT, 2 * e) << 16);
                    case I32, U32, BOOL, PACKED -> throw new AssertionError(encoding);
                };
            }
        }
    }

    @Override
    public Format of(Encoding encoding) {
        return encoding.isDense() ? new Dense(encoding) : new Named(encoding, "");
    }

    @Override
    public Format gptq(int groupSize, boolean zeroPlusOne, boolean hasOrder, ElementType scaleType) {
        return new Named(Encoding.GPTQ_4, groupSize + " " + zeroPlusOne + " " + hasOrder + " " + scaleType);
    }

    @Override
    public Format awq(int groupSize, ElementType scaleType) {
        return new Named(Encoding.AWQ_4, groupSize + " " + scaleType);
    }

    @Override
    public Format fp8Channel(ElementType scaleType) {
        return new Named(Encoding.FP8_CHANNEL, "" + scaleType);
    }

    @Override
    public Format fp8Block(int blockRows, int blockColumns, ElementType scaleType) {
        return new Named(Encoding.FP8_BLOCK, blockRows + " " + blockColumns + " " + scaleType);
    }

    @Override
    public Format mxfp4Pairs() {
        return new Named(Encoding.MXFP4_PAIRS, "");
    }
}
