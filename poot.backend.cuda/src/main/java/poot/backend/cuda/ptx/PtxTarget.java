package poot.backend.cuda.ptx;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import poot.core.kernel.ir.Capability;

/**
 * What PTX is written for.
 *
 * @param capability of the device the text names: 10 * major + minor, 75 at least
 * @param major of the version of PTX
 * @param minor of the version of PTX
 */
public record PtxTarget(int capability, int major, int minor) {
    /** The least capability there are kernels for. */
    public static final int LEAST = 75;

    /** Capabilities and the version of PTX that brought each, times ten; newer devices run text for older ones. */
    private static final int[][] CAPABILITIES = {
        {75, 63}, {80, 70}, {86, 71}, {87, 74}, {89, 78}, {90, 78}, {100, 86}, {103, 88}, {120, 87}, {121, 88},
    };

    /** Versions of CUDA as drivers count them, and the newest PTX each assembles, times ten. */
    private static final int[][] DRIVERS = {
        {10000, 63}, {10010, 64}, {10020, 65}, {11000, 70}, {11010, 71}, {11020, 72}, {11030, 73}, {11040, 74}, {11050, 75},
        {11060, 76}, {11070, 77}, {11080, 78}, {12000, 80}, {12010, 81}, {12020, 82}, {12030, 83}, {12040, 84}, {12060, 85},
        {12070, 86}, {12080, 87}, {12090, 88}, {13000, 90},
    };

    /** What is written with: fragments are loaded with {@code ldmatrix}, of PTX 6.5. */
    private static final int LEAST_PTX = 65;

    /**
     * The target for a device: the newest capability up to its own that the driver assembles for, and the least version
     * of PTX that has it.
     *
     * @param capability of the device: 10 * major + minor
     * @param driver the driver's version of CUDA: 1000 * major + 10 * minor
     * @return empty if the device or the driver is too old
     */
    public static Optional<PtxTarget> of(int capability, int driver) {
        int newest = 0;
        for (int[] d : DRIVERS) {
            newest = d[0] <= driver ? d[1] : newest;
        }
        PtxTarget best = null;
        for (int[] c : CAPABILITIES) {
            int version = Math.max(c[1], LEAST_PTX);
            if (c[0] <= capability && version <= newest) {
                best = new PtxTarget(c[0], version / 10, version % 10);
            }
        }
        return Optional.ofNullable(best);
    }

    /** What kernels for this target may need or make use of. */
    public Set<Capability> capabilities() {
        EnumSet<Capability> out = EnumSet.of(Capability.MATRIX_F16, Capability.MATRIX_I8, Capability.INTEGER_DOT);
        if (hasAmpere()) {
            out.add(Capability.MATRIX_BF16);
            out.add(Capability.ASYNC_COPY);
        }
        return out;
    }

    /** Whether there are {@code cp.async}, {@code redux}, bfloat16 and the larger {@code mma}: capability 8.0. */
    boolean hasAmpere() {
        return capability >= 80;
    }

    String header() {
        return ".version " + major + "." + minor + "\n.target sm_" + capability + "\n.address_size 64\n";
    }
}
