package poot.core.kernel.generate.product;

import java.util.List;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;

/**
 * How the products of a few rows x[i] with weights of the same extents are shared out, in a launch of {@link RowLaunch}. Summed
 * in F32: a thread sums some of the runs of a row of a weight, each the sum of its codes times x, times its scale; then the
 * threads' sums are joined. Which runs and in which order depends on the weight and the device, not on how many rows x has.
 *
 * @param tokens rows of x that one workgroup is for: 1 to {@link #MOST_TOKENS}
 * @param share who sums what
 * @param each rows of every weight for whoever {@code share} says; 1 of {@link Share#SUBGROUPS}
 * @param matrix rows of one matrix of the weights
 */
record RowProduct(List<WeightView> weights, int tokens, Share share, int each, int matrix, Epilogue epilogue) {
    /** More rows of x have more workgroups. */
    static final int MOST_TOKENS = 8;
    /** Rows of each weight for one subgroup: they share what is read of x. */
    private static final int MOST_EACH = 4;
    /** Sums in the registers of a thread. */
    private static final int MOST_SUMS = 16;
    private static final int WORKGROUP = 128;
    private static final int WIDE_WORKGROUP = 256;

    /** How a workgroup shares the sums. */
    enum Share {
        /** A subgroup has {@code each} rows of the weights, its lanes the runs in turn. */
        LANES,
        /** The workgroup has {@code each} rows of the weights, its threads the runs in turn: for weights of few rows. */
        THREADS,
        /** A lane has a row of the weights, the subgroups the runs in turn: for weights whose rows lie side by side. */
        SUBGROUPS
    }

    RowProduct {
        weights = List.copyOf(weights);
    }

    /** The product that suits weights and device, where {@code times} as many workgroups run beside each other. */
    static RowProduct of(List<WeightView> weights, int tokens, int matrix, int times, Epilogue epilogue, DeviceLimits limits) {
        if (acrossRows(weights)) {
            return new RowProduct(weights, tokens, Share.SUBGROUPS, 1, matrix, epilogue);
        }
        int most = Math.max(1, MOST_SUMS / (tokens * weights.size()));
        for (int each = Math.min(MOST_EACH, Integer.highestOneBit(most)); each > 1; each /= 2) {
            RowProduct p = new RowProduct(weights, tokens, Share.LANES, each, matrix, epilogue);
            if (p.fills(times, limits)) {
                return p;
            }
        }
        RowProduct single = new RowProduct(weights, tokens, Share.LANES, 1, matrix, epilogue);
        boolean few = !single.fills(times, limits) && weights.getFirst().columns() / WeightOperands.length(weights) > limits.subgroup();
        return few ? new RowProduct(weights, tokens, Share.THREADS, 1, matrix, epilogue) : single;
    }

    private boolean fills(int times, DeviceLimits limits) {
        return (long) times * groups(WORKGROUP, limits) >= 2L * limits.computeUnits();
    }

    private static boolean acrossRows(List<WeightView> weights) {
        return weights.stream().anyMatch(w -> w.decoder().acrossRows());
    }

    /** Threads of a workgroup that suit weights. */
    static int workgroup(List<WeightView> weights, DeviceLimits limits) {
        return Flat.workgroup(acrossRows(weights) ? WIDE_WORKGROUP : WORKGROUP, limits);
    }

    /** Workgroups of so many threads that cover the weights' rows. */
    int groups(int workgroup, DeviceLimits limits) {
        return Math.ceilDiv(matrix, switch (share) {
            case LANES -> each * Flat.workgroup(workgroup, limits) / limits.subgroup();
            case THREADS -> each;
            case SUBGROUPS -> limits.subgroup();
        });
    }

    /** Whether lanes have runs of their own and several rows of x are put into shared memory first. */
    boolean staged() {
        return share == Share.LANES && tokens > 1;
    }

    /**
     * Which rows a workgroup is for.
     *
     * @param x row of x of the first token
     * @param y row of the result of the first token
     * @param first row of the weights
     * @param present whether the weights are there
     */
    record Place(Reg x, Reg y, Reg first, Reg present) {
        Epilogue.Bound guard(KernelBuilder b, Epilogue.Bound end) {
            return (row, column, sums) ->
                    end.apply(b.add(row, y), column, sums.stream().map(s -> b.select(present, s, b.f32(0))).toList());
        }
    }

    /** Writes the code of one workgroup; {@code group} says which of {@link #groups}. */
    void write(RowSetting in, WeightOperands operands, Place place, Reg group, Epilogue.Bound bound) {
        KernelBuilder b = in.b();
        Reg first = switch (share) {
            case LANES -> b.mul(b.mad(group, b.subgroups(), b.subgroup()), each);
            case THREADS -> b.mul(group, each);
            case SUBGROUPS -> b.mul(group, b.subgroupSize());
        };
        RowSums of = new RowSums(in, this, operands, place, share == Share.SUBGROUPS ? b.add(first, b.lane()) : first);
        List<Reg> sums = of.all();
        RowFinish finish = new RowFinish(in, this, place, first, place.guard(b, bound));
        switch (share) {
            case LANES -> finish.byLanes(reduced(b, sums));
            case THREADS -> finish.joined(reduced(b, sums), each * tokens, b.u32(0), b.eq(b.lane(), 0));
            case SUBGROUPS -> finish.joined(sums, b.subgroupSize() * tokens, b.mul(b.lane(), tokens), b.bool(true));
        }
    }

    private static List<Reg> reduced(KernelBuilder b, List<Reg> sums) {
        return sums.stream().map(s -> b.reduce(ReduceOp.ADD, s)).toList();
    }
}
