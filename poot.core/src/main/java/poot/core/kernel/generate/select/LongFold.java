package poot.core.kernel.generate.select;

import java.util.List;
import poot.api.graph.ElementType;
import poot.api.graph.Op.ReduceKind;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.Stages;
import poot.core.kernel.generate.Stages.Given;
import poot.core.kernel.generate.Stages.Stage;

/**
 * The fold of each line of x [outer, n, inner] where lines are long: operand x, result [outer, inner]. Tiles are
 * folded as {@link Scan} does, and their folds likewise.
 *
 * @param element F32, I32 or U32
 */
public record LongFold(ReduceKind kind, ElementType element, int outer, int n, int inner) {
    /** The kernels. */
    public Stages stages(DeviceLimits limits) {
        Scan scan = new Scan(kind, element, false, outer, n, inner);
        ScanTiles totals = new ScanTiles(scan, true);
        Given x = new Given.Operand(0);
        Given out = new Given.Result(0);
        Given count = new Given.Number(scan.lines());
        int tiles = scan.tiles(limits);
        if (tiles == 1) {
            return Stages.of(totals, totals.grid(limits), List.of(x, out, count));
        }
        Scan again = new Scan(kind, element, false, scan.lines(), tiles, 1);
        if (again.tiles(limits) > 1) {
            throw new IllegalArgumentException("a fold of " + n + " elements: cut the axis into parts of at most 2^24");
        }
        ScanTiles join = new ScanTiles(again, true);
        Given sums = new Given.Scratch(0);
        return new Stages(List.of(new Stage(totals, totals.grid(limits), List.of(x, sums, count)),
                new Stage(join, join.grid(limits), List.of(sums, out, count))), List.of(4L * scan.lines() * tiles));
    }
}
