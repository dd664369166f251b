package poot.core.quant;

import java.util.Arrays;

/**
 * Packs an F32 matrix to E4M3 elements and F32 multipliers, those of {@link Fp8Channel} and {@link Fp8Block}: the
 * largest magnitude that a multiplier covers becomes 448, the others the nearest element, ties to the even one.
 *
 * <p>The error of a value x with multiplier s is at most |x|/16, or s 2^-10 where that is more. An infinite value saturates;
 * NaN stays NaN and takes no part in finding the multiplier.
 *
 * @param elements    [rows, columns], one byte each
 * @param multipliers [rows], or [ceil(rows / blockRows), ceil(columns / blockColumns)]
 */
public record Fp8Packer(byte[] elements, float[] multipliers) {
    private static final float LARGEST = 448;

    /** Packs with a multiplier per row. */
    public static Fp8Packer channel(float[] matrix, int rows, int columns) {
        return block(matrix, rows, columns, 1, columns);
    }

    /**
     * Packs with a multiplier per rectangle.
     *
     * @throws IllegalArgumentException if the matrix is not of that shape, or an extent is not positive
     */
    public static Fp8Packer block(float[] matrix, int rows, int columns, int blockRows, int blockColumns) {
        if (rows < 1 || columns < 1 || blockRows < 1 || blockColumns < 1 || matrix.length != (long) rows * columns) {
            throw new IllegalArgumentException(matrix.length + " elements as [" + rows + ", " + columns + "] in blocks of "
                    + blockRows + " x " + blockColumns);
        }
        int across = Math.ceilDiv(columns, blockColumns);
        float[] multipliers = new float[Math.ceilDiv(rows, blockRows) * across];
        for (int i = 0; i < matrix.length; i++) {
            int block = i / columns / blockRows * across + i % columns / blockColumns;
            multipliers[block] = Math.max(multipliers[block], Math.min(Steps.magnitude(matrix[i]), Float.MAX_VALUE) / LARGEST);
        }
        byte[] elements = new byte[matrix.length];
        for (int i = 0; i < matrix.length; i++) {
            float multiplier = multipliers[i / columns / blockRows * across + i % columns / blockColumns];
            elements[i] = e4m3(matrix[i], multiplier);
        }
        return new Fp8Packer(elements, multipliers);
    }

    private static byte e4m3(float x, float multiplier) {
        if (Float.isNaN(x)) {
            return 0x7F;
        }
        float wanted = multiplier == 0 ? 0 : Math.min(Math.abs(x) / multiplier, LARGEST);
        int found = Arrays.binarySearch(Fp8.E4M3, 0, 0x7F, wanted);
        int code = found >= 0 ? found : nearer(-found - 2, wanted);
        return (byte) (code | Float.floatToIntBits(x) >>> 24 & 0x80);
    }

    private static int nearer(int below, float wanted) {
        float down = wanted - Fp8.E4M3[below];
        float up = Fp8.E4M3[below + 1] - wanted;
        return down < up || down == up && below % 2 == 0 ? below : below + 1;
    }
}
