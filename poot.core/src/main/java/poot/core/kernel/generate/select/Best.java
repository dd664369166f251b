package poot.core.kernel.generate.select;

import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.Stages;
import poot.core.kernel.generate.Stages.Given;
import poot.core.kernel.generate.Stages.Stage;

/**
 * The place of the first largest or smallest element of each line of x [outer, n, inner]; NaN never wins: operand x,
 * result I32 [outer, inner]. A long line is cut into chunks.
 *
 * @param element F32, F16, BF16, I32 or U32, which are compared as signed
 */
public record Best(boolean largest, ElementType element, int outer, int n, int inner) {
    public Best {
        if (outer < 1 || n < 1 || inner < 1 || n > BestOfChunks.CHUNK * BestOfChunks.CHUNK) {
            throw new IllegalArgumentException("the best of [" + outer + ", " + n + ", " + inner + "]: give each axis an element, and at most 2^24");
        }
    }

    int lines() {
        return Math.multiplyExact(outer, inner);
    }

    /** The kernels. */
    public Stages stages(DeviceLimits limits) {
        BestOfChunks chunks = new BestOfChunks(this, n, true);
        Given x = new Given.Operand(0);
        Given out = new Given.Result(0);
        Given count = new Given.Number(lines());
        if (chunks.chunks() == 1) {
            return Stages.of(chunks, chunks.grid(limits), List.of(x, out, count));
        }
        Given candidates = new Given.Scratch(0);
        BestOfChunks join = new BestOfChunks(this, chunks.chunks(), false);
        return new Stages(List.of(new Stage(chunks, chunks.grid(limits), List.of(x, candidates, count)),
                new Stage(join, join.grid(limits), List.of(x, candidates, out, count))), List.of(4L * lines() * chunks.chunks()));
    }
}
