package poot.core.quant;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
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

    /** MXFP4 with adjacent pairs; see {@link Mxfp4Pairs}. */
    public static Format mxfp4Pairs() {
        return new Mxfp4Pairs();
    }

    private static Map<Encoding, Format> onePart() {
        Map<Encoding, Format> formats = new EnumMap<>(Encoding.class);
        for (Encoding e : Encoding.values()) {
            format(e).ifPresent(format -> formats.put(e, format));
        }
        return formats;
    }

    private static Optional<Format> format(Encoding e) {
        return switch (e) {
            case F32, F16, BF16 -> Optional.of(new DenseFormat(e.element()));
            case MXFP4_PAIRS, GPTQ_4, AWQ_4, FP8_CHANNEL, FP8_BLOCK -> Optional.empty();
            case Q1_0 -> blocks(e, TernaryBlocks::q1x0, TernaryBlocks::q1x0Scale);
            case Q2_0 -> blocks(e, TernaryBlocks::q2x0, TernaryBlocks::q2x0Scale);
            case TQ1_0 -> blocks(e, TernaryBlocks::tq1x0, TernaryBlocks::tq1x0Scale);
            case TQ2_0 -> blocks(e, TernaryBlocks::tq2x0, TernaryBlocks::tq2x0Scale);
            case Q4_0 -> blocks(e, LegacyBlocks::q4x0, LegacyBlocks::scale);
            case Q4_1 -> blocks(e, LegacyBlocks::q4x1, LegacyBlocks::scaleAndOffset);
            case Q5_0 -> blocks(e, LegacyBlocks::q5x0, LegacyBlocks::scale);
            case Q5_1 -> blocks(e, LegacyBlocks::q5x1, LegacyBlocks::scaleAndOffset);
            case Q8_0 -> blocks(e, LegacyBlocks::q8x0, LegacyBlocks::scale);
            case Q2_K -> blocks(e, KBlocks::q2, KBlocks::q2Scales);
            case Q3_K -> blocks(e, KBlocks::q3, KBlocks::q3Scales);
            case Q4_K -> blocks(e, KBlocks::q4, KBlocks::q4Scales);
            case Q5_K -> blocks(e, KBlocks::q5, KBlocks::q4Scales);
            case Q6_K -> blocks(e, KBlocks::q6, KBlocks::q6Scales);
            case IQ1_S -> blocks(e, Iq1Blocks::s, Iq1Blocks::sScales);
            case IQ1_M -> blocks(e, Iq1Blocks::m, Iq1Blocks::mScales);
            case IQ2_XXS -> blocks(e, Iq2Blocks::xxs, Iq2Blocks::xxsScales);
            case IQ2_XS -> blocks(e, Iq2Blocks::xs, Iq2Blocks::xsScales);
            case IQ2_S -> blocks(e, Iq2Blocks::s, Iq2Blocks::sScales);
            case IQ3_XXS -> blocks(e, Iq3Blocks::xxs, Iq3Blocks::xxsScales);
            case IQ3_S -> blocks(e, Iq3Blocks::s, Iq3Blocks::sScales);
            case IQ4_NL -> blocks(e, TableBlocks::iq4nl, LegacyBlocks::scale);
            case IQ4_XS -> blocks(e, TableBlocks::iq4xs, TableBlocks::iq4xsScales);
            case MXFP4 -> blocks(e, TableBlocks::mxfp4, TableBlocks::mxfp4Scale);
            case NVFP4 -> blocks(e, TableBlocks::nvfp4, TableBlocks::nvfp4Scales);
        };
    }

    private static Optional<Format> blocks(Encoding e, BlockFormat.Codes codes, BlockFormat.Scales scales) {
        return Optional.of(new BlockFormat(e, codes, scales));
    }

    private QuantFormats() {
    }
}
