package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/** Reads one stored weight: the code for it, not the bytes. */
public sealed interface WeightDecoder permits BlockDecoder, DenseDecoder, Gptq4Decoder, Awq4Decoder, Fp8Decoder, PairsDecoder {
    /** The decoder of a stored weight. */
    static WeightDecoder of(StoredMatrix stored) {
        return switch (stored.encoding()) {
            case F32, F16, BF16 -> new DenseDecoder(stored);
            case GPTQ_4 -> new Gptq4Decoder(stored);
            case AWQ_4 -> new Awq4Decoder(stored);
            case FP8_CHANNEL, FP8_BLOCK -> new Fp8Decoder(stored);
            case MXFP4_PAIRS -> new PairsDecoder(stored);
            case Q1_0, Q2_0, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S,
                    IQ3_XXS, IQ3_S, IQ4_NL, IQ4_XS, TQ1_0, TQ2_0, MXFP4, NVFP4 -> new BlockDecoder(stored);
        };
    }

    /** What is read. */
    StoredMatrix stored();

    /** Elements of a run: 1 to 16, a power of two; a row is a whole number of them. */
    int length();

    /** Whether neighbouring rows lie side by side in memory, and neighbouring runs far apart. */
    default boolean acrossRows() {
        return false;
    }

    /** The buffers that it reads, in the order in which a kernel takes them. */
    List<WeightSource> sources();

    /**
     * Begins to read a row.
     *
     * @param sources the buffers, as {@link #sources}
     * @param row U32, counted over all matrices
     */
    WeightRow row(KernelBuilder b, List<Reg> sources, Reg row);

    /** Declares the buffers as parameters of a kernel, next in order. */
    default List<Reg> declare(KernelBuilder b, String weight) {
        List<Reg> out = new ArrayList<>();
        for (WeightSource s : sources()) {
            out.add(b.buffer(weight + "_" + s.name(), Access.READ));
        }
        return out;
    }
}
