package poot.serve.bench;

import poot.api.graph.Encoding;

/**
 * Which encoding each matrix of a synthetic checkpoint has. All but {@link #Q4_K_M} store every matrix, the embedding
 * included, in the encoding of their name.
 *
 * <p>A matrix whose rows are not whole blocks of 256 is stored in the encoding llama.cpp falls back to: Q5_0 for Q4_K,
 * Q5_1 for Q5_K, Q8_0 for Q6_K, IQ4_NL for IQ4_XS.
 */
public enum WeightMix {
    F32(Encoding.F32), F16(Encoding.F16), BF16(Encoding.BF16),
    Q8_0(Encoding.Q8_0), Q4_0(Encoding.Q4_0),
    /** llama.cpp's mix: Q6_K for the embedding, which is also the head, and for half of the values and down projections. */
    Q4_K_M(Encoding.Q4_K),
    Q4_K(Encoding.Q4_K), Q5_K(Encoding.Q5_K), Q6_K(Encoding.Q6_K),
    IQ4_NL(Encoding.IQ4_NL), IQ4_XS(Encoding.IQ4_XS), MXFP4(Encoding.MXFP4);

    /** What a matrix does, as far as a mix tells matrices apart. */
    public enum Use {
        /** The embedding, and its transpose the head. */
        TABLE,
        /** The attention's value projection. */
        VALUE,
        /** The feed-forward's down projection. */
        DOWN,
        /** Any other projection. */
        OTHER
    }

    private final Encoding encoding;

    WeightMix(Encoding encoding) {
        this.encoding = encoding;
    }

    /**
     * The encoding of a matrix.
     *
     * @param layer   its layer; read for {@link Use#VALUE} and {@link Use#DOWN} alone
     * @param layers  layers of the model
     * @param columns elements of a row
     */
    public Encoding encoding(Use use, int layer, int layers, int columns) {
        boolean more = this == Q4_K_M && switch (use) {
            case TABLE -> true;
            case VALUE, DOWN -> usesMoreBits(layer, layers);
            case OTHER -> false;
        };
        return fitting(more ? Encoding.Q6_K : encoding, columns);
    }

    /** Whether llama.cpp's mixes give layer {@code i} of {@code n} more bits: the first and last eighth, and every third between. */
    static boolean usesMoreBits(int i, int n) {
        return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
    }

    private static Encoding fitting(Encoding wanted, int columns) {
        if (columns % wanted.blockElements() == 0) {
            return wanted;
        }
        return switch (wanted) {
            case Q4_K -> Encoding.Q5_0;
            case Q5_K -> Encoding.Q5_1;
            case Q6_K -> Encoding.Q8_0;
            case IQ4_XS -> Encoding.IQ4_NL;
            default -> throw new IllegalArgumentException(wanted + " in rows of " + columns);
        };
    }
}
