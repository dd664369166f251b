package poot.core.quant;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;

/**
 * A format whose rows are whole numbers of equal blocks, one after another in one part: every quantized GGML type.
 *
 * <p>Decoding is the same three steps for all: copy some blocks out of the mapped part, let {@link Codes} spread their
 * bits into one signed byte per element, widen those to floats, let {@link Scales} turn codes into values where they
 * stand. The steps work on eight bytes of a word, or in plain loops the compiler turns into vector code. Every product
 * of a code and its scales is computed in F32 in the order ggml does, so the values are ggml's bit for bit.
 */
final class BlockFormat implements Format {
    /** Elements decoded at a time: their packed bytes, codes and values together stay in the first-level cache. */
    private static final int CHUNK_ELEMENTS = 1024;

    /** Where the bits of a block's codes lie. */
    @FunctionalInterface
    interface Codes {
        /** Writes one signed code per element of the block at {@code block[from]} to {@code codes[at..]}. */
        void spread(byte[] block, int from, byte[] codes, int at);
    }

    /** Where a block's scales lie, and what a code is worth. */
    @FunctionalInterface
    interface Scales {
        /** Turns the codes in {@code values[at..]} of the block at {@code block[from]} into values. */
        void apply(byte[] block, int from, float[] values, int at);
    }

    private final Encoding encoding;
    private final Codes codes;
    private final Scales scales;

    BlockFormat(Encoding encoding, Codes codes, Scales scales) {
        this.encoding = Objects.requireNonNull(encoding);
        this.codes = Objects.requireNonNull(codes);
        this.scales = Objects.requireNonNull(scales);
    }

    @Override
    public Encoding encoding() {
        return encoding;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException  if the run does not start and end at block boundaries
     * @throws IndexOutOfBoundsException if the run lies outside the part, or does not fit {@code out}
     */
    @Override
    public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
        int elements = encoding.blockElements();
        int bytes = encoding.blockBytes();
        Checks.checkWholeBlocks(encoding, column, count);
        Objects.checkFromIndexSize(at, count, out.length);
        long from = (row * (stored.dim(-1) / elements) + column / elements) * bytes;
        int blocks = count / elements;
        int most = Math.min(blocks, CHUNK_ELEMENTS / elements);
        byte[] packed = new byte[most * bytes];
        byte[] spread = new byte[most * elements];
        for (int done = 0; done < blocks; done += most) {
            int now = Math.min(most, blocks - done);
            long first = from + (long) done * bytes;
            MemorySegment.copy(parts.getFirst(), ValueLayout.JAVA_BYTE, first, packed, 0, now * bytes);
            decode(packed, now, spread, out, at + done * elements);
        }
    }

    private void decode(byte[] packed, int blocks, byte[] spread, float[] out, int at) {
        int elements = encoding.blockElements();
        int bytes = encoding.blockBytes();
        for (int b = 0; b < blocks; b++) {
            codes.spread(packed, b * bytes, spread, b * elements);
        }
        widen(spread, blocks * elements, out, at);
        for (int b = 0; b < blocks; b++) {
            scales.apply(packed, b * bytes, out, at + b * elements);
        }
    }

    private static void widen(byte[] codes, int count, float[] out, int at) {
        for (int i = 0; i < count; i++) {
            out[at + i] = codes[i];
        }
    }

    @Override
    public String toString() {
        return encoding.name();
    }
}
