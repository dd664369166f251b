package poot.core.kernel.generate.select;

import java.util.List;
import poot.api.graph.ElementType;
import poot.api.graph.Op.ReduceKind;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Stages;
import poot.core.kernel.generate.Stages.Given;
import poot.core.kernel.generate.Stages.Stage;

/**
 * The running fold of each line of x [outer, n, inner]: operand x, result as x.
 *
 * <p>An element's fold is that of the tiles before its own, joined with that of the subgroups before, of the lanes
 * before, and of its thread's elements up to it; each of these goes in order and begins with nothing, at places that
 * depend on neither n nor the element. So a running sum of numbers that are not negative never falls, stays the same
 * where 0 is added, and does not depend on what follows.
 *
 * @param element F32, I32 or U32; U32 is compared as signed
 */
public record Scan(ReduceKind kind, ElementType element, boolean exclusive, int outer, int n, int inner) {
    /** Elements of a thread. */
    static final int RUN = 16;

    public Scan {
        if (element != ElementType.F32 && element != ElementType.I32 && element != ElementType.U32) {
            throw new IllegalArgumentException("a running fold of " + element + ": cast it to F32 or I32");
        }
        if (outer < 1 || n < 1 || inner < 1) {
            throw new IllegalArgumentException("a running fold of [" + outer + ", " + n + ", " + inner + "]: give each axis an element");
        }
    }

    int lines() {
        return Math.multiplyExact(outer, inner);
    }

    int workgroup(DeviceLimits limits) {
        return Flat.workgroup((n + RUN - 1) / RUN, limits);
    }

    int tiles(DeviceLimits limits) {
        int tile = workgroup(limits) * RUN;
        return (n + tile - 1) / tile;
    }

    /** The kernels. */
    public Stages stages(DeviceLimits limits) {
        ScanTiles scan = new ScanTiles(this, false);
        Given x = new Given.Operand(0);
        Given out = new Given.Result(0);
        Given count = new Given.Number(lines());
        if (tiles(limits) == 1) {
            return Stages.of(scan, scan.grid(limits), List.of(x, out, count));
        }
        ScanTiles totals = new ScanTiles(this, true);
        Given sums = new Given.Scratch(0);
        return new Stages(List.of(new Stage(totals, totals.grid(limits), List.of(x, sums, count)),
                new Stage(scan, scan.grid(limits), List.of(x, sums, out, count))), List.of(4L * lines() * tiles(limits)));
    }
}
