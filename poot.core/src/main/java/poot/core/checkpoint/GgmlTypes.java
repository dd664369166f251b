package poot.core.checkpoint;

import java.util.Optional;
import poot.api.graph.Encoding;

/** The numbers that a GGUF file gives tensor types. Source: the {@code ggml_type} list of the GGUF specification. */
final class GgmlTypes {
    private GgmlTypes() {}

    /** The encoding of a type number; empty for numbers that are unknown, removed, or not weights. */
    public static Optional<Encoding> encoding(int id) {
        return Optional.ofNullable(switch (id) {
            case 0 -> Encoding.F32;
            case 1 -> Encoding.F16;
            case 2 -> Encoding.Q4_0;
            case 3 -> Encoding.Q4_1;
            case 6 -> Encoding.Q5_0;
            case 7 -> Encoding.Q5_1;
            case 8 -> Encoding.Q8_0;
            case 10 -> Encoding.Q2_K;
            case 11 -> Encoding.Q3_K;
            case 12 -> Encoding.Q4_K;
            case 13 -> Encoding.Q5_K;
            case 14 -> Encoding.Q6_K;
            case 16 -> Encoding.IQ2_XXS;
            case 17 -> Encoding.IQ2_XS;
            case 18 -> Encoding.IQ3_XXS;
            case 19 -> Encoding.IQ1_S;
            case 20 -> Encoding.IQ4_NL;
            case 21 -> Encoding.IQ3_S;
            case 22 -> Encoding.IQ2_S;
            case 23 -> Encoding.IQ4_XS;
            case 29 -> Encoding.IQ1_M;
            case 30 -> Encoding.BF16;
            case 34 -> Encoding.TQ1_0;
            case 35 -> Encoding.TQ2_0;
            case 39 -> Encoding.MXFP4;
            case 40 -> Encoding.NVFP4;
            case 41 -> Encoding.Q1_0;
            case 42 -> Encoding.Q2_0;
            default -> null;
        });
    }

    /** The type number of an encoding; empty for those that GGUF does not store. */
    public static Optional<Integer> id(Encoding encoding) {
        for (int id = 0; id <= 42; id++) {
            if (encoding(id).filter(e -> e == encoding).isPresent()) {
                return Optional.of(id);
            }
        }
        return Optional.empty();
    }

    /** What a type number without an encoding is, for messages. */
    static String describe(int id) {
        String what = switch (id) {
            case 4 -> "Q4_2, removed from the format";
            case 5 -> "Q4_3, removed from the format";
            case 9 -> "Q8_1, which holds activations";
            case 15 -> "Q8_K, which holds activations";
            case 24 -> "I8";
            case 25 -> "I16";
            case 26 -> "I32";
            case 27 -> "I64";
            case 28 -> "F64";
            case 31, 32, 33, 36, 37, 38 -> "a repacked type, removed from the format";
            default -> "unknown";
        };
        return "tensor type " + Integer.toUnsignedString(id) + " (" + what + ")";
    }
}
