package poot.core.kernel.decode;

import java.util.List;
import poot.api.graph.Encoding;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.quant.CodeBooks;

/**
 * A GGML block format: rows are whole numbers of equal blocks in one part. A run is 16 elements, since no scale is for
 * fewer; where its bits lie in the block is said by the format.
 */
record BlockDecoder(StoredMatrix stored) implements WeightDecoder {
    private static final int RUN = 16;

    @Override
    public int length() {
        return RUN;
    }

    @Override
    public List<WeightSource> sources() {
        WeightSource part = new WeightSource.Part(0);
        return CodeBooks.of(encoding()).isPresent() ? List.of(part, new WeightSource.Book(encoding())) : List.of(part);
    }

    @Override
    public WeightRow row(KernelBuilder b, List<Reg> sources, Reg row) {
        int runs = encoding().blockElements() / RUN;
        int bytes = encoding().blockBytes();
        Reg from = b.advance(sources.getFirst(), row, (long) (stored.columns() / encoding().blockElements()) * bytes);
        return run -> {
            Reg block = b.advance(from, b.shr(run, Integer.numberOfTrailingZeros(runs)), bytes);
            return decode(new BlockBytes(b, block, Integer.lowestOneBit(bytes | 16)), sources.getLast(), b.and(run, runs - 1));
        };
    }

    private Encoding encoding() {
        return stored.encoding();
    }

    /** The run {@code r} of a block. */
    private Run decode(BlockBytes k, Reg book, Reg r) {
        return switch (encoding()) {
            case Q1_0 -> TernaryRuns.q1x0(k, r);
            case Q2_0 -> TernaryRuns.q2x0(k, r);
            case TQ1_0 -> TernaryRuns.tq1x0(k, r);
            case TQ2_0 -> TernaryRuns.tq2x0(k, r);
            case Q4_0 -> LegacyRuns.q4x0(k, r);
            case Q4_1 -> LegacyRuns.q4x1(k, r);
            case Q5_0 -> LegacyRuns.q5x0(k, r);
            case Q5_1 -> LegacyRuns.q5x1(k, r);
            case Q8_0 -> LegacyRuns.q8x0(k, r);
            case Q2_K -> KRuns.q2(k, r);
            case Q3_K -> KRuns.q3(k, r);
            case Q4_K -> KRuns.q4(k, r);
            case Q5_K -> KRuns.q5(k, r);
            case Q6_K -> KRuns.q6(k, r);
            case IQ1_S -> Iq1Runs.s(k, book, r);
            case IQ1_M -> Iq1Runs.m(k, book, r);
            case IQ2_XXS -> Iq2Runs.xxs(k, book, r);
            case IQ2_XS -> Iq2Runs.xs(k, book, r);
            case IQ2_S -> Iq2Runs.s(k, book, r);
            case IQ3_XXS -> Iq3Runs.xxs(k, book, r);
            case IQ3_S -> Iq3Runs.s(k, book, r);
            case IQ4_NL -> TableRuns.iq4nl(k, book, r);
            case IQ4_XS -> TableRuns.iq4xs(k, book, r);
            case MXFP4 -> TableRuns.mxfp4(k, book, r);
            case NVFP4 -> TableRuns.nvfp4(k, book, r);
            case F32, F16, BF16, MXFP4_PAIRS, GPTQ_4, AWQ_4, FP8_CHANNEL, FP8_BLOCK ->
                    throw new IllegalArgumentException(encoding() + " is not stored in blocks");
        };
    }
}
