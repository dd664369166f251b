package poot.core.kernel.generate.attention;

import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;

/**
 * Attention of many queries: a workgroup takes a tile of the pairs of a token and a query head of one group, and goes
 * through the cache in tiles of keys, each read once for all of its pairs and shared, with a running softmax. Tiles of
 * keys begin at multiples of their length, and one without keys that a query sees leaves that query's numbers as they
 * are. So they depend on the positions of keys and on nothing that shares the step.
 *
 * <p>Parameters: as of {@link AttendFew}.
 *
 * @param part positions of a part of the cache, a multiple of 256; 0 for one part that is all
 */
public record AttendMany(AttentionSpec spec, int part) implements Generator {
    public AttendMany {
        if (part < 0 || part % AttendFew.PART != 0) {
            throw new IllegalArgumentException("parts of " + part + ": use a multiple of " + AttendFew.PART);
        }
    }

    /**
     * How threads stand before a tile of scores: {@code across} keys, {@code down} pairs, each thread for every
     * {@code across}-th of {@link #EACH} keys and every {@code down}-th of as many pairs.
     */
    record Tile(int across, int down) {
        /** Keys, and pairs, of a thread. */
        static final int EACH = 4;
        private static final int WIDEST = 16;

        static Tile of(DeviceLimits limits) {
            int across = Math.min(WIDEST, limits.subgroup());
            int most = Math.min(limits.maxWorkgroup(), across * Math.max(across, 8)) / limits.subgroup() * limits.subgroup();
            return new Tile(across, Math.max(most, limits.subgroup()) / across);
        }

        int pairs() {
            return down * EACH;
        }

        int keys() {
            return across * EACH;
        }

        int threads() {
            return across * down;
        }
    }

    /** The workgroups of a step: (row, group), tile of pairs, part. */
    public Grid grid(DeviceLimits limits, int rows, int tokens, int parts) {
        int pairs = Tile.of(limits).pairs();
        return new Grid(rows * spec.groups(), (tokens * spec.each() + pairs - 1) / pairs, part == 0 ? 1 : parts);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        Tile tile = Tile.of(limits);
        KernelBuilder b = new KernelBuilder("attend_many_" + spec.label() + (part > 0 ? "_split" : ""), tile.threads(), limits.subgroup());
        new ManyKernel(b, this, tile).write();
        return b.build();
    }
}
