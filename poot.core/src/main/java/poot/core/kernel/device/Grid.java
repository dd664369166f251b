package poot.core.kernel.device;

/** Workgroups of a launch along each axis, each above 0. */
public record Grid(int x, int y, int z) {
    public Grid {
        if (x < 1 || y < 1 || z < 1) {
            throw new IllegalArgumentException("a grid of " + x + " x " + y + " x " + z + " workgroups: give each axis at least one");
        }
    }

    /** Workgroups along x alone. */
    public static Grid of(int x) {
        return new Grid(x, 1, 1);
    }

    /** Workgroups along x and y. */
    public static Grid of(int x, int y) {
        return new Grid(x, y, 1);
    }

    /** All of them. */
    public long workgroups() {
        return (long) x * y * z;
    }
}
