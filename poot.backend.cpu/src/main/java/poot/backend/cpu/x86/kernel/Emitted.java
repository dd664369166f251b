package poot.backend.cpu.x86.kernel;

import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.weight.Layout;
import poot.backend.cpu.x86.weight.Parts;
import poot.backend.cpu.x86.weight.StoredRows;

/**
 * What callers of a product's three kernels must know. All take arguments of 64 bits by the System V convention:
 *
 * <ul>
 *   <li>{@link FewRows#of}: sizes, first weight row, staged tile, first output, groups of rows, mask of the last group
 *   <li>{@link Panels#decode}: sizes, first weight row at its first step, panel, bytes that are wanted next, -, -, steps
 *   <li>{@link Panels#multiply}: sizes, panel, staged tile at the panel's first group, first output, tiles, mask, steps
 * </ul>
 *
 * Sizes are 64-bit numbers: the bytes from a weight row to the next, steps of a row, bytes from an output row to the
 * next, bytes from a staged tile to the next, then where {@link Parts} beside the codes lie. A mask is lanes to be stored: bits
 * with AVX-512, the address of a vector with AVX2.
 */
public final class Emitted {
    /** Positions of the sizes, in bytes; those of {@link Parts} stand behind them. */
    public static final int ROW_BYTES = Parts.ROW_BYTES;
    public static final int STEPS = 8;
    public static final int OUT_BYTES = 16;
    public static final int TILE_BYTES = 24;

    private Emitted() {}

    /** Activation rows of the widest tile of {@link Panels#multiply}. */
    public static int tile(Simd simd, Layout layout) {
        if (simd.wide()) {
            return layout.fine() && !simd.vnni() ? 9 : 12;
        }
        return layout.floating() ? 6 : 4;
    }

    /** Activation rows for which weights are multiplied as they are decoded: as many as there are registers for sums. */
    public static int few(Simd simd, StoredRows stored) {
        boolean floating = stored.layout().floating();
        if (simd.wide() && floating) {
            return 4;
        }
        boolean two = stored.layout().fine() && !simd.vnni();
        return (simd.wide() ? 16 : 6) / (floating ? 2 : 1 + (two ? 2 : 1) * stored.open());
    }

    /** How {@code m} activation rows are staged for a format: as bytes where few rows' sums of both have registers. */
    public static Layout layout(Simd simd, StoredRows stored, int m) {
        boolean bytes = simd.vnni() && stored.fours() && m * (1 + 2 * stored.open()) <= 16;
        return bytes ? stored.layout().bytes() : layout(simd, stored);
    }

    /** How many activation rows are staged for a format, and how its panels lie. */
    public static Layout layout(Simd simd, StoredRows stored) {
        return simd.vnni() && stored.layout().fine() ? stored.layout().bytes() : stored.layout();
    }
}
