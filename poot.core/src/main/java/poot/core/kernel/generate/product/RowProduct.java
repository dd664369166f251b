package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;
import poot.api.graph.ElementType;
import poot.core.kernel.decode.Floats;
import poot.core.kernel.decode.Run;
import poot.core.kernel.decode.WeightRow;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

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
    static RowProduct of(ElementType left, List<WeightView> weights, int tokens, OptionalInt experts, int times, Epilogue epilogue, DeviceLimits limits) {
        if (weights.stream().anyMatch(w -> w.decoder().acrossRows())) {
            return new RowProduct(left, weights, tokens, Share.SUBGROUPS, 1, experts, epilogue);
        }
        long fewest = 4L * limits.computeUnits();
        RowProduct pairs = new RowProduct(left, weights, tokens, Share.LANES, 2, experts, epilogue);
        if (tokens * weights.size() <= 2 && times * pairs.grid(limits).workgroups() >= fewest) {
            return pairs;
        }
        RowProduct single = new RowProduct(left, weights, tokens, Share.LANES, 1, experts, epilogue);
        boolean few = times * single.grid(limits).workgroups() < fewest
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
    private int n() {
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
        List<Reg> sums = new Sums(b, operands, matrix, share == Share.SUBGROUPS ? b.add(first, b.lane()) : first).all();
        Finish finish = new Finish(b, first, operands.rows(), end);
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
    private record Matrix(Reg x, Reg y, Reg first, Reg present) {
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

    /** Applies the epilogue to each element once: element e is row e % tokens of x and row e / tokens of those of the weights. */
    private final class Finish {
        private final KernelBuilder b;
        private final Reg first;
        private final Reg rows;
        private final Epilogue.Bound end;

        Finish(KernelBuilder b, Reg first, Reg rows, Epilogue.Bound end) {
            this.b = b;
            this.first = first;
            this.rows = rows;
            this.end = end;
        }

        /** Of sums that every lane of the subgroup has: a lane for each element. */
        void byLanes(List<Reg> sums) {
            int count = each * tokens;
            for (int from = 0; from < count; from += b.subgroupSize()) {
                int lanes = Math.min(count - from, b.subgroupSize());
                List<Reg> mine = new ArrayList<>();
                for (int w = 0; w < weights.size(); w++) {
                    mine.add(pick(sums.subList(w * count + from, w * count + from + lanes)));
                }
                apply(b.lt(b.lane(), lanes), b.add(b.lane(), from), () -> mine);
            }
        }

        /**
         * Of sums of which each subgroup has a part, {@code count} of each weight: through shared memory.
         *
         * @param sums a thread's: for each weight some in a row
         * @param at which elements those are, from here on
         * @param stores whether the thread is the one that has them
         */
        void joined(List<Reg> sums, int count, Reg at, Reg stores) {
            SharedArray parts = b.shared("parts", MemoryType.F32, b.subgroups() * weights.size() * count);
            int own = sums.size() / weights.size();
            b.when(stores, () -> {
                Reg to = b.mad(b.subgroup(), weights.size() * count, at);
                for (int i = 0; i < sums.size(); i++) {
                    b.store(parts, b.add(to, i / own * count + i % own), sums.get(i));
                }
            });
            b.barrier();
            for (int from = 0; from < count; from += b.workgroupSize()) {
                Reg e = b.add(b.thread(), from);
                apply(b.lt(e, count), e, () -> join(parts, e, count));
            }
        }

        private List<Reg> join(SharedArray parts, Reg e, int count) {
            List<Reg> out = new ArrayList<>();
            for (int w = 0; w < weights.size(); w++) {
                Reg sum = b.load(parts, b.add(e, w * count));
                for (int s = 1; s < b.subgroups(); s++) {
                    sum = b.add(sum, b.load(parts, b.add(e, (s * weights.size() + w) * count)));
                }
                out.add(sum);
            }
            return out;
        }

        private void apply(Reg present, Reg e, Supplier<List<Reg>> sums) {
            Reg row = b.rem(e, tokens);
            Reg column = b.add(first, b.div(e, tokens));
            b.when(b.and(present, b.and(b.lt(row, rows), b.lt(column, n()))), () -> end.apply(row, column, sums.get()));
        }

        private Reg pick(List<Reg> of) {
            Reg out = of.getFirst();
            for (int i = 1; i < of.size(); i++) {
                out = b.select(b.eq(b.lane(), i), of.get(i), out);
            }
            return out;
        }
    }

    /** A thread's share of the sums: [weights, each, tokens]. */
    private final class Sums {
        private final KernelBuilder b;
        private final WeightOperands operands;
        private final List<Reg> x = new ArrayList<>();
        private final List<WeightRow> rows = new ArrayList<>();
        private final int length = WeightOperands.length(weights);

        Sums(KernelBuilder b, WeightOperands operands, Matrix matrix, Reg first) {
            this.b = b;
            this.operands = operands;
            for (int t = 0; t < tokens; t++) {
                x.add(operands.xRow(t == 0 ? matrix.x() : b.min(b.u32(t), b.sub(operands.rows(), 1))));
            }
            for (int w = 0; w < weights.size(); w++) {
                for (int j = 0; j < each; j++) {
                    rows.add(operands.row(w, b.add(matrix.first(), b.min(b.add(first, j), b.u32(n() - 1)))));
                }
            }
        }

        List<Reg> all() {
            Reg from = switch (share) {
                case LANES -> b.lane();
                case THREADS -> b.thread();
                case SUBGROUPS -> b.subgroup();
            };
            int step = switch (share) {
                case LANES -> b.subgroupSize();
                case THREADS -> b.workgroupSize();
                case SUBGROUPS -> b.subgroups();
            };
            List<Reg> zeros = Collections.nCopies(rows.size() * tokens, b.f32(0));
            int runs = weights.getFirst().columns() / length;
            return b.loop(from, b.u32(runs), b.u32(step), zeros, this::add);
        }

        private List<Reg> add(Reg run, List<Reg> sums) {
            List<List<Run>> runs = new ArrayList<>();
            for (int r = 0; r < rows.size(); r++) {
                int parts = length / operands.decoder(r / each).length();
                List<Run> mine = new ArrayList<>();
                for (int i = 0; i < parts; i++) {
                    mine.add(rows.get(r).run(b.add(b.mul(run, parts), i)));
                }
                runs.add(mine);
            }
            List<Reg> out = new ArrayList<>(sums);
            for (int t = 0; t < tokens; t++) {
                List<Reg> xs = Floats.load(b, Elements.memory(left), x.get(t), b.mul(run, length), length);
                Map<List<Reg>, Reg> totals = new HashMap<>();
                for (int r = 0; r < rows.size(); r++) {
                    int from = 0;
                    for (Run codes : runs.get(r)) {
                        int to = from + codes.codes().size();
                        out.set(r * tokens + t, more(out.get(r * tokens + t), codes, xs.subList(from, to), totals));
                        from = to;
                    }
                }
            }
            return out;
        }

        /** The sum and what a run adds to it; the sum of the run's x is made once where runs have offsets. */
        private Reg more(Reg sum, Run run, List<Reg> xs, Map<List<Reg>, Reg> totals) {
            Reg dot = Dots.dot(b, run.codes(), xs);
            Reg out = run.scale().isPresent() ? b.fma(run.scale().get(), dot, sum) : b.add(sum, dot);
            return run.offset().isEmpty() ? out
                    : b.fma(run.offset().get(), totals.computeIfAbsent(xs, of -> Dots.sum(b, of)), out);
        }
    }
}
