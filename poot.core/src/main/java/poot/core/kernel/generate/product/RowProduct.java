package poot.core.kernel.generate.product;

import java.util.List;
import java.util.OptionalInt;
import poot.api.graph.ElementType;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;

/**
 * {@code y_w[i, j] = sum over l of x[i, l] * weight_w[j, l]} of few rows i. Summed in F32: a thread sums some of the runs of a
 * row, each the sum of its codes times x, times its scale; then the threads' sums are joined. A row of x does not touch the
 * sums of another.
 *
 * <p>With experts a result row i has a matrix of each weight to itself, {@code indices[i]}; zeros where there is none such.
 *
 * <p>Parameters: x [rows, columns]; rows U32, at most {@code tokens}, with experts the rows of the result; the sources of each
 * weight; with experts indices I32 [rows]; the epilogue's.
 *
 * @param left element type of x: a float
 * @param tokens rows of x that the code is for: 1 to {@link #MOST_TOKENS}
 * @param share who sums what
 * @param each rows of every weight for whoever {@code share} says; 1 of {@link Share#SUBGROUPS}
 * @param experts with experts how many rows of the result, one behind the other, are of one row of x; tokens is 1
 */
record RowProduct(ElementType left, List<WeightView> weights, int tokens, Share share, int each, OptionalInt experts, Epilogue epilogue)
        implements Generator {
    /** Beyond this tiles pay. */
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
        WeightOperands.check(left, weights, epilogue.sums());
    }

    /** The product that suits weights and device, for a result whose rows are made {@code times} over by workgroups of their own. */
    static RowProduct of(ElementType left, List<WeightView> weights, int tokens, OptionalInt experts, int times, Epilogue epilogue,
            DeviceLimits limits) {
        if (weights.stream().anyMatch(w -> w.decoder().acrossRows())) {
            return new RowProduct(left, weights, tokens, Share.SUBGROUPS, 1, experts, epilogue);
        }
        int most = Math.max(1, MOST_SUMS / (tokens * weights.size()));
        for (int each = Math.min(MOST_EACH, Integer.highestOneBit(most)); each > 1; each /= 2) {
            RowProduct p = new RowProduct(left, weights, tokens, Share.LANES, each, experts, epilogue);
            if (times * p.grid(limits).workgroups() >= 2L * limits.computeUnits()) {
                return p;
            }
        }
        RowProduct single = new RowProduct(left, weights, tokens, Share.LANES, 1, experts, epilogue);
        boolean few = times * single.grid(limits).workgroups() < 2L * limits.computeUnits()
                && weights.getFirst().columns() / WeightOperands.length(weights) > limits.subgroup();
        return few ? new RowProduct(left, weights, tokens, Share.THREADS, 1, experts, epilogue) : single;
    }

    /** The grid, of one row with experts. */
    Grid grid(DeviceLimits limits) {
        int rows = switch (share) {
            case LANES -> each * workgroup(limits) / limits.subgroup();
            case THREADS -> each;
            case SUBGROUPS -> limits.subgroup();
        };
        return new Flat(Math.ceilDiv(n(), rows)).workgroupGrid(limits);
    }

    private int workgroup(DeviceLimits limits) {
        return Flat.workgroup(share == Share.SUBGROUPS ? WIDE_WORKGROUP : WORKGROUP, limits);
    }

    /** Columns of a result. */
    int n() {
        return experts.isPresent() ? weights.getFirst().stored().rows() : weights.getFirst().rows();
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder("row_product", workgroup(limits), limits.subgroup());
        WeightOperands operands = WeightOperands.declare(b, left, weights);
        Matrix matrix = matrix(b);
        Epilogue.Bound end = matrix.guard(b, epilogue.declare(b));
        Reg group = Flat.workgroup(b);
        Reg first = switch (share) {
            case LANES -> b.mul(b.mad(group, b.subgroups(), b.subgroup()), each);
            case THREADS -> b.mul(group, each);
            case SUBGROUPS -> b.mul(group, b.subgroupSize());
        };
        List<Reg> sums = new RowSums(b, this, operands, matrix, share == Share.SUBGROUPS ? b.add(first, b.lane()) : first).all();
        RowFinish finish = new RowFinish(b, this, first, operands.rows(), end);
        switch (share) {
            case LANES -> finish.byLanes(reduced(b, sums));
            case THREADS -> finish.joined(reduced(b, sums), each * tokens, b.u32(0), b.eq(b.lane(), 0));
            case SUBGROUPS -> finish.joined(sums, b.subgroupSize() * tokens, b.mul(b.lane(), tokens), b.bool(true));
        }
        return b.build();
    }

    /**
     * Which rows a workgroup is for.
     *
     * @param x row of x of the first token
     * @param y row of the result of the first token
     * @param first row of the weights
     * @param present whether the weights are there
     */
    record Matrix(Reg x, Reg y, Reg first, Reg present) {
        Epilogue.Bound guard(KernelBuilder b, Epilogue.Bound end) {
            return (row, column, sums) ->
                    end.apply(b.add(row, y), column, sums.stream().map(s -> b.select(present, s, b.f32(0))).toList());
        }
    }

    private Matrix matrix(KernelBuilder b) {
        if (experts.isEmpty()) {
            return new Matrix(b.u32(0), b.u32(0), b.u32(0), b.bool(true));
        }
        Reg row = b.workgroupZ();
        Reg index = b.toU32(b.load(MemoryType.I32, b.buffer("indices", Access.READ), row));
        Reg present = b.lt(index, weights.getFirst().rows() / n());
        return new Matrix(b.div(row, experts.getAsInt()), row, b.mul(b.select(present, index, b.u32(0)), n()), present);
    }

    private static List<Reg> reduced(KernelBuilder b, List<Reg> sums) {
        return sums.stream().map(s -> b.reduce(ReduceOp.ADD, s)).toList();
    }
}
