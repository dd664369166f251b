package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import poot.core.kernel.decode.Floats;
import poot.core.kernel.decode.Run;
import poot.core.kernel.decode.WeightRow;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * A thread's share of the sums of a product of few rows: [weights, each, tokens]. Where lanes have runs of their own, several
 * tokens are put into shared memory first, so that neighbouring lanes read neighbouring places of them.
 */
final class RowSums {
    /** Floats of x in shared memory at a time. */
    private static final int STAGED = 4096;

    private final KernelBuilder b;
    private final RowProduct product;
    private final WeightOperands operands;
    private final int tokens;
    private final int length;
    private final int runs;
    private final List<Reg> x = new ArrayList<>();
    private final List<WeightRow> rows = new ArrayList<>();

    /**
     * Begins to read.
     *
     * @param first row of the weights for this thread, after the matrix's
     */
    RowSums(KernelBuilder b, RowProduct product, WeightOperands operands, RowProduct.Matrix matrix, Reg first) {
        this.b = b;
        this.product = product;
        this.operands = operands;
        this.tokens = product.tokens();
        this.length = WeightOperands.length(product.weights());
        this.runs = product.weights().getFirst().columns() / length;
        for (int t = 0; t < tokens; t++) {
            x.add(operands.xRow(t == 0 ? matrix.x() : b.min(b.u32(t), b.sub(operands.rows(), 1))));
        }
        for (int w = 0; w < product.weights().size(); w++) {
            for (int j = 0; j < product.each(); j++) {
                Reg row = b.min(b.add(first, j), b.u32(product.n() - 1));
                rows.add(operands.row(w, b.add(matrix.first(), row)));
            }
        }
    }

    /** Makes the sums; in uniform flow. */
    List<Reg> all() {
        List<Reg> zeros = Collections.nCopies(rows.size() * tokens, b.f32(0));
        return switch (product.share()) {
            case LANES -> tokens > 1 ? staged(zeros) : direct(b.lane(), b.subgroupSize(), zeros);
            case THREADS -> direct(b.thread(), b.workgroupSize(), zeros);
            case SUBGROUPS -> direct(b.subgroup(), b.subgroups(), zeros);
        };
    }

    private List<Reg> direct(Reg from, int step, List<Reg> zeros) {
        return b.loop(from, b.u32(runs), step, zeros, (run, sums) -> add(run, sums, t ->
                Floats.load(b, Elements.memory(product.left()), x.get(t), b.mul(run, length), length)));
    }

    private List<Reg> staged(List<Reg> zeros) {
        int lanes = b.subgroupSize();
        int chunk = Math.max(lanes, Math.min(STAGED / (tokens * length), runs + lanes - 1) / lanes * lanes);
        int piece = Math.min(4, length);
        int apart = (tokens * chunk + 2) * piece;
        SharedArray shared = b.shared("x", MemoryType.F32, length / piece * apart);
        return b.loop(b.u32(0), b.u32(runs), chunk, zeros, (from, sum) -> {
            b.barrier();
            stage(shared, from, chunk, piece, apart);
            b.barrier();
            return b.loop(b.lane(), b.min(b.u32(chunk), b.sub(b.u32(runs), from)), lanes, sum, (run, sums) ->
                    add(b.add(from, run), sums, t -> {
                        List<Reg> out = new ArrayList<>(length);
                        for (int p = 0; p < length / piece; p++) {
                            out.addAll(b.load(shared, b.add(b.mul(b.add(run, t * chunk), piece), p * apart), piece));
                        }
                        return out;
                    }));
        });
    }

    /** Puts {@code chunk} runs of all tokens into shared memory: piece p of a run lies {@code p * apart} further on. */
    private void stage(SharedArray shared, Reg from, int chunk, int piece, int apart) {
        int pieces = length / piece;
        for (int t = 0; t < tokens; t++) {
            int token = t;
            WorkgroupSums.spread(b, chunk * pieces, i -> {
                Reg run = b.div(i, pieces);
                b.when(b.lt(b.add(from, run), runs), () -> {
                    Reg at = b.mul(b.mad(from, pieces, i), piece);
                    List<Reg> values = Floats.load(b, Elements.memory(product.left()), x.get(token), at, piece);
                    b.store(shared, b.mad(b.rem(i, pieces), apart, b.mul(b.add(run, token * chunk), piece)), values);
                });
            });
        }
    }

    /** The sums and what a run of every row adds to them. */
    private List<Reg> add(Reg run, List<Reg> sums, IntFunction<List<Reg>> x) {
        List<Reg> out = new ArrayList<>(sums);
        List<List<Run>> decoded = new ArrayList<>();
        for (int r = 0; r < rows.size(); r++) {
            int parts = length / operands.decoder(r / product.each()).length();
            List<Run> mine = new ArrayList<>();
            for (int i = 0; i < parts; i++) {
                mine.add(rows.get(r).run(b.add(b.mul(run, parts), i)));
            }
            decoded.add(mine);
        }
        for (int t = 0; t < tokens; t++) {
            List<Reg> xs = x.apply(t);
            Map<List<Reg>, Reg> totals = new HashMap<>();
            for (int r = 0; r < rows.size(); r++) {
                int from = 0;
                for (Run codes : decoded.get(r)) {
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
        return run.offset().isEmpty() ? out : b.fma(run.offset().get(), totals.computeIfAbsent(xs, of -> Dots.sum(b, of)), out);
    }
}
