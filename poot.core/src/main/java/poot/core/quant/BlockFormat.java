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
 * Walks the blocks; the decoder knows what a block means.
 */
public final class BlockFormat implements Format {
    /** Packed bytes copied out of the mapped file at a time; stays in the first-level cache with its output. */
    private static final int SCRATCH_BYTES = 4096;

    private final Encoding encoding;
    private final BlockDecoder decoder;

    BlockFormat(Encoding encoding, BlockDecoder decoder) {
        this.encoding = Objects.requireNonNull(encoding);
        this.decoder = Objects.requireNonNull(decoder);
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
        MemorySegment part = parts.getFirst();
        long from = (row * (stored.dim(-1) / elements) + column / elements) * bytes;
        int blocks = count / elements;
        int most = Math.min(blocks, SCRATCH_BYTES / bytes);
        byte[] scratch = new byte[most * bytes];
        for (int done = 0; done < blocks; done += most) {
            int now = Math.min(most, blocks - done);
            MemorySegment.copy(part, ValueLayout.JAVA_BYTE, from + (long) done * bytes, scratch, 0, now * bytes);
            for (int b = 0; b < now; b++) {
                decoder.decode(scratch, b * bytes, out, at + (done + b) * elements);
            }
        }
    }

    @Override
    public String toString() {
        return encoding.name();
    }
}
