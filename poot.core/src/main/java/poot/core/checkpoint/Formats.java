package poot.core.checkpoint;

import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;

/**
 * Where a checkpoint gets the meaning of stored bytes from. The readers decide which encoding a tensor has and with
 * which parameters; the definition of decode is behind this seam.
 */
public interface Formats {
    /**
     * The format of an encoding that has no parameters: the dense ones and the GGML block encodings, one part each.
     * Never called for GPTQ, AWQ, FP8 or {@link Encoding#MXFP4_PAIRS}.
     */
    Format of(Encoding encoding);

    /**
     * GPTQ, 4 bits. Parts: qweight I32 [in/8, out]; qzeros I32 [groups, out/8]; scales [groups, out]; and, with an
     * order, g_idx I32 [in], whose values all name one of the groups. groups = ceil(in / groupSize).
     *
     * @param groupSize   input elements that share a scale
     * @param zeroPlusOne true where the stored zero is one less than the zero (the {@code gptq} packing), false where
     *                    it is the zero ({@code gptq_v2})
     * @param hasOrder    true if the fourth part gives each input element's group; otherwise input i is in i / groupSize
     * @param scaleType   the element type of the scales: F16, BF16 or F32
     */
    Format gptq(int groupSize, boolean zeroPlusOne, boolean hasOrder, ElementType scaleType);

    /**
     * AWQ GEMM, 4 bits. Parts: qweight I32 [in, out/8]; qzeros I32 [groups, out/8]; scales [groups, out].
     *
     * @param groupSize input elements that share a scale
     * @param scaleType the element type of the scales: F16, BF16 or F32
     */
    Format awq(int groupSize, ElementType scaleType);

    /**
     * FP8 E4M3 with a multiplier per output row, or one for all rows. Parts: elements [out, in], one byte each;
     * multipliers [out] or [1].
     *
     * @param scaleType the element type of the multipliers
     */
    Format fp8Channel(ElementType scaleType);

    /**
     * FP8 E4M3 with a multiplier per block. Parts: elements [out, in], one byte each; multipliers
     * [ceil(out / blockRows), ceil(in / blockColumns)].
     *
     * @param scaleType the element type of the multipliers
     */
    Format fp8Block(int blockRows, int blockColumns, ElementType scaleType);

    /**
     * MXFP4 as Hugging Face stores it. Parts: codes U8 [.., in/32, 16], byte i holding elements 2i (low nibble) and
     * 2i + 1 (high nibble) of its block; exponents U8 [.., in/32], biased by 127.
     */
    Format mxfp4Pairs();
}
