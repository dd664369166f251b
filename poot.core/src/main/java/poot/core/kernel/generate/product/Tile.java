package poot.core.kernel.generate.product;

import poot.core.kernel.device.DeviceLimits;

/**
 * How a product is cut: a workgroup makes [rows, columns] of each of its results, {@code depth} of the summed axis at a time;
 * a thread makes [high, wide] of it.
 *
 * @param depth a multiple of 16, so that it holds whole runs
 * @param wide a multiple of 4
 * @param high a multiple of 4
 */
record Tile(int rows, int columns, int depth, int high, int wide) {
    /** Keeps rows of the transposed tiles apart in the banks of shared memory. */
    static final int PAD = 4;
    private static final int DEPTH = 32;

    /** Threads of the workgroup. */
    int threads() {
        return rows / high * (columns / wide);
    }

    /** Floats of shared memory, for so many products of one left operand. */
    int floats(int products) {
        return Math.max(depth * (rows + PAD) + products * depth * (columns + PAD), products * rows * columns);
    }

    /** A tile that suits a product of {@code rows} rows and the device: as large as fits, no taller than needed. */
    static Tile of(int products, int rows, DeviceLimits limits) {
        int across = Math.max(16, 64 / Integer.highestOneBit(2 * products - 1));
        int down = rows > 32 ? 64 : 32;
        Tile tile = new Tile(down, across, DEPTH, 4, 4);
        while (tile.threads() % limits.subgroup() != 0) {
            tile = tile.tall(2 * tile.rows);
        }
        while (tile.threads() % (2 * limits.subgroup()) == 0 && !tile.fits(products, limits)) {
            tile = tile.tall(tile.rows / 2);
        }
        return tile;
    }

    private Tile tall(int to) {
        return new Tile(to, columns, depth, high, wide);
    }

    private boolean fits(int products, DeviceLimits limits) {
        return threads() <= limits.maxWorkgroup() && 4L * floats(products) <= limits.sharedBytes();
    }
}
