package poot.api.graph;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * How the elements of one stored matrix are read: the definition of packed decode.
 *
 * <p>A format is a small immutable descriptor. The bytes stay as the checkpoint stored them, in one or several
 * parts (GGML blocks are one part; GPTQ has codes, zeros, scales and an order). A backend is right when it computes
 * what {@link #decode} defines; it may specialise on {@link #encoding()}.
 */
public interface Format {
    /** The published encoding. */
    Encoding encoding();

    /**
     * Decodes a run of one row to F32.
     *
     * @param parts  the stored bytes, little-endian
     * @param stored the logical shape of the whole stored matrix, [rows, columns]; leading axes count as rows
     * @param row    the row
     * @param column first column; a multiple of the encoding's block elements
     * @param count  elements; a multiple of the encoding's block elements
     * @param out    receives {@code count} values
     * @param at     index of the first value in {@code out}
     */
    void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at);

    /**
     * Which elements share a scale, where scales are floats in a part of their own and the encoding does not say so already:
     * with the encoding and {@code stored} this tells where everything lies. Empty for all other formats.
     *
     * @param parts  as in {@link #decode}
     * @param stored as in {@link #decode}
     */
    default Optional<Scales> scales(List<MemorySegment> parts, Shape stored) {
        return Optional.empty();
    }
}
