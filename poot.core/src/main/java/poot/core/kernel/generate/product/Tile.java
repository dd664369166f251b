package poot.core.kernel.generate.product;

import poot.core.kernel.device.DeviceLimits;

/**
 * How a product is cut: a workgroup makes [rows, columns] of each of its results, {@code depth} of the summed axis at a time;
 * a thread, or of fragments a subgroup, makes [high, wide] of it.
 *
 * @param depth a multiple of 16, so that it holds whole runs
 * @param wide a multiple of 4
 * @param high a multiple of 4
 */
record Tile(int rows, int columns, int depth, int high, int wide) {
    /** Keeps rows of the transposed tiles apart in the banks of shared memory. */
    static final int PAD = 4;
    private static final int DEPTH = 32;
    private static final int LEAST = 16;

    /** Threads, or of fragments subgroups, of the workgroup. */
    int threads() {
        return rows / high * (columns / wide);
    }

    /** Floats of shared memory, for so many products of one left operand. */
    int floats(int products) {
        return Math.max(depth * (rows + PAD) + products * depth * (columns + PAD), products * rows * columns);
    }

    /**
     * A tile that suits a device: as large as fits, no taller than needed, and narrow where the results are too small to keep
     * the device busy. Where not even the least fits it is that one, and the kernel is refused for what the device lacks.
     *
     * @param products with one left operand
     * @param rows of each result
     * @param columns of each result
     * @param times how many such results one launch makes
     */
    static Tile of(int products, int rows, int columns, long times, DeviceLimits limits) {
        int across = Math.max(LEAST, 64 / Integer.highestOneBit(2 * products - 1));
        Tile tile = new Tile(rows > 32 ? 64 : 32, across, DEPTH, 4, 4);
        while (tile.threads() % limits.subgroup() != 0) {
            tile = tile.tall(2 * tile.rows);
        }
        while (tile.rows >= 2 * tile.high && tile.halves(limits) && !tile.fits(products, limits)) {
            tile = tile.tall(tile.rows / 2);
        }
        while (tile.columns > LEAST && tile.halves(limits) && times * tile.count(rows, columns) < limits.computeUnits()) {
            tile = new Tile(tile.rows, tile.columns / 2, tile.depth, 4, 4);
        }
        return tile;
    }

    /** How many cover a result. */
    long count(int ofRows, int ofColumns) {
        return (long) Math.ceilDiv(ofRows, rows) * Math.ceilDiv(ofColumns, columns);
    }

    /** Whether half the threads are still whole subgroups. */
    private boolean halves(DeviceLimits limits) {
        return threads() % (2 * limits.subgroup()) == 0;
    }

    private Tile tall(int to) {
        return new Tile(to, columns, depth, high, wide);
    }

    private boolean fits(int products, DeviceLimits limits) {
        return threads() <= limits.maxWorkgroup() && 4L * floats(products) <= limits.sharedBytes();
    }
}
