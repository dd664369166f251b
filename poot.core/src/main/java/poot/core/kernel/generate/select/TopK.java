package poot.core.kernel.generate.select;

import java.util.ArrayList;
import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.Stages;
import poot.core.kernel.generate.Stages.Given;
import poot.core.kernel.generate.Stages.Stage;

/**
 * The k largest of each line in falling order, equal ones by rising place, NaN after everything else: operand x
 * [lines, n], results values [lines, k] and places I32 [lines, k].
 *
 * <p>Few are found by rounds, each of which keeps the first k of every 2048; many by sorting whole lines.
 *
 * @param element F32, F16, BF16, I32 or U32, which are compared as signed
 * @param k 1 to n
 */
public record TopK(ElementType element, int lines, int n, int k) {
    private static final Given X = new Given.Operand(0);
    private static final Given VALUES = new Given.Result(0);
    private static final Given PLACES = new Given.Result(1);

    public TopK {
        if (lines < 1 || k < 1 || k > n) {
            throw new IllegalArgumentException("the " + k + " largest of " + lines + " lines of " + n + ": ask for 1 to n of at least one line");
        }
    }

    /** The kernels. */
    public Stages stages(DeviceLimits limits) {
        return n <= SharedSort.MOST || 2 * k <= SharedSort.MOST ? rounds(limits) : sorted(limits);
    }

    private Stages rounds(DeviceLimits limits) {
        List<Stage> stages = new ArrayList<>();
        List<Long> scratch = new ArrayList<>();
        int count = n;
        boolean last = false;
        while (!last) {
            boolean first = stages.isEmpty();
            last = count <= SharedSort.MOST;
            int chunk = Math.min(SharedSort.MOST, SharedSort.sizeFor(count));
            TopOfChunks round = new TopOfChunks(element, n, count, chunk, Math.min(k, chunk), first, last);
            List<Given> given = new ArrayList<>(List.of(X));
            if (!first) {
                given.add(new Given.Scratch(scratch.size() - 2));
                given.add(new Given.Scratch(scratch.size() - 1));
            }
            count = round.chunks() * round.keep();
            if (!last) {
                scratch.addAll(List.of(4L * lines * count, 4L * lines * count));
            }
            given.add(last ? VALUES : new Given.Scratch(scratch.size() - 2));
            given.add(last ? PLACES : new Given.Scratch(scratch.size() - 1));
            given.add(new Given.Number(lines));
            stages.add(new Stage(round, round.grid(limits, lines), given));
        }
        return new Stages(stages, scratch);
    }

    private Stages sorted(DeviceLimits limits) {
        int padded = SharedSort.sizeFor(n);
        Given ranks = new Given.Scratch(0);
        Given order = new Given.Scratch(1);
        Given count = new Given.Number(lines);
        List<Stage> stages = new ArrayList<>();
        SortBlocks blocks = new SortBlocks(element, n, padded, true);
        stages.add(new Stage(blocks, blocks.grid(limits, lines), List.of(X, ranks, order, count)));
        SortStep step = new SortStep(padded);
        SortBlocks merge = new SortBlocks(element, n, padded, false);
        for (int run = 2 * SharedSort.MOST; run <= padded; run *= 2) {
            for (int stride = run / 2; stride >= SharedSort.MOST; stride /= 2) {
                stages.add(new Stage(step, step.grid(limits, lines),
                        List.of(ranks, order, count, new Given.Number(run), new Given.Number(stride))));
            }
            stages.add(new Stage(merge, merge.grid(limits, lines), List.of(ranks, order, count, new Given.Number(run))));
        }
        TakeFirst take = new TakeFirst(element, n, padded, k);
        stages.add(new Stage(take, take.grid(limits, lines), List.of(X, order, VALUES, PLACES, count)));
        return new Stages(stages, List.of(4L * lines * padded, 4L * lines * padded));
    }
}
