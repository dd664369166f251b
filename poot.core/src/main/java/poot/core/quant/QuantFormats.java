package poot.core.quant;

import java.util.EnumMap;
import java.util.Map;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;

/** Finds the format of a stored tensor: by its encoding, or for formats in several parts by what the config says. */
public final class QuantFormats {
    private static final Map<Encoding, Format> ONE_PART = onePart();

    /**
     * The format of a one-part encoding: a dense type or a GGML block type.
     *
     * @throws IllegalArgumentException for GPTQ, AWQ and FP8, which have parameters and factories of their own
     */
    public static Format of(Encoding encoding) {
        Format format = ONE_PART.get(encoding);
        if (format == null) {
            throw new IllegalArgumentException(encoding + " has parameters; use gptq, awq, fp8Channel or fp8Block");
        }
        return format;
    }

    /** GPTQ with 4-bit codes; see {@link Gptq4}. */
    public static Format gptq(int groupSize, boolean zeroPlusOne, boolean hasOrder, ElementType scaleType) {
        return new Gptq4(groupSize, zeroPlusOne, hasOrder, scaleType);
    }

    /** AWQ with 4-bit codes; see {@link Awq4}. */
    public static Format awq(int groupSize, ElementType scaleType) {
        return new Awq4(groupSize, scaleType);
    }

    /** FP8 with a scale per output row or tensor; see {@link Fp8Channel}. */
    public static Format fp8Channel(ElementType scaleType) {
        return new Fp8Channel(scaleType);
    }

    /** FP8 with a scale per rectangle; see {@link Fp8Block}. */
    public static Format fp8Block(int blockRows, int blockColumns, ElementType scaleType) {
        return new Fp8Block(blockRows, blockColumns, scaleType);
    }

    private static Map<Encoding, Format> onePart() {
        Map<Encoding, Format> formats = new EnumMap<>(Encoding.class);
        for (Encoding e : Encoding.values()) {
            Format format = format(e);
            if (format != null) {
                formats.put(e, format);
            }
        }
        return formats;
    }

    private static Format format(Encoding e) {
        BlockDecoder decoder = switch (e) {
            case F32, F16, BF16, MXFP4_PAIRS, GPTQ_4, AWQ_4, FP8_CHANNEL, FP8_BLOCK -> null;
            case Q1_0 -> TernaryBlocks::q1x0;
            case Q2_0 -> TernaryBlocks::q2x0;
            case TQ1_0 -> TernaryBlocks::tq1x0;
            case TQ2_0 -> TernaryBlocks::tq2x0;
            case Q4_0 -> LegacyBlocks::q4x0;
            case Q4_1 -> LegacyBlocks::q4x1;
            case Q5_0 -> LegacyBlocks::q5x0;
            case Q5_1 -> LegacyBlocks::q5x1;
            case Q8_0 -> LegacyBlocks::q8x0;
            case Q2_K -> KBlocks::q2;
            case Q3_K -> KBlocks::q3;
            case Q4_K -> KBlocks::q4;
            case Q5_K -> KBlocks::q5;
            case Q6_K -> KBlocks::q6;
            case IQ1_S -> Iq1Blocks::s;
            case IQ1_M -> Iq1Blocks::m;
            case IQ2_XXS -> Iq2Blocks::xxs;
            case IQ2_XS -> Iq2Blocks::xs;
            case IQ2_S -> Iq2Blocks::s;
            case IQ3_XXS -> Iq3Blocks::xxs;
            case IQ3_S -> Iq3Blocks::s;
            case IQ4_NL -> TableBlocks::iq4nl;
            case IQ4_XS -> TableBlocks::iq4xs;
            case MXFP4 -> TableBlocks::mxfp4;
            case NVFP4 -> TableBlocks::nvfp4;
        };
        if (decoder != null) {
            return new BlockFormat(e, decoder);
        }
        return e.isDense() ? new DenseFormat(e.element()) : null;
    }

    private QuantFormats() {
    }
}
