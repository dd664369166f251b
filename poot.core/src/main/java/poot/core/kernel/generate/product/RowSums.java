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
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * A thread's share of the sums of a product of few rows: [weights, each, tokens]. Where lanes have runs of their own, several
 * tokens are put into shared memory first, so that neighbouring lanes read neighbouring places of them. A lane takes the same
 * runs in the same order either way.
 */
final class RowSums {
    /** Floats of x in shared memory at a time. */
    private static final int STAGED = 4096;

    private final KernelBuilder b;
    private final RowSetting in;
    private final RowProduct product;
    private final WeightOperands operands;
    private final MemoryType left;
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
    RowSums(RowSetting in, RowProduct product, WeightOperands operands, RowProduct.Place place, Reg first) {
        this.b = in.b();
        this.in = in;
        this.product = product;
        this.operands = operands;
        this.left = Elements.memory(operands.left());
        this.tokens = product.tokens();
        this.length = WeightOperands.length(product.weights());
        this.runs = product.weights().getFirst().columns() / length;
        for (int t = 0; t < tokens; t++) {
            x.add(operands.xRow(t == 0 ? place.x() : b.min(b.add(place.x(), t), b.sub(in.rows(), 1))));
        }
        for (int w = 0; w < product.weights().size(); w++) {
            for (int j = 0; j < product.each(); j++) {
                Reg row = b.min(b.add(first, j), b.u32(product.matrix() - 1));
                rows.add(operands.row(w, b.add(place.first(), row)));
            }
        }
    }

    /** Makes the sums; in uniform flow. */
    List<Reg> all() {
        List<Reg> zeros = Collections.nCopies(rows.size() * tokens, b.f32(0));
        if (product.staged()) {
            return staged(zeros);
        }
        in.norm().ifPresent(n -> n.squares(x));
        return switch (product.share()) {
            case LANES -> direct(b.lane(), b.subgroupSize(), zeros);
            case THREADS -> direct(b.thread(), b.workgroupSize(), zeros);
            case SUBGROUPS -> direct(b.subgroup(), b.subgroups(), zeros);
        };
    }

    private List<Reg> direct(Reg from, int step, List<Reg> zeros) {
        return b.loop(from, b.u32(runs), step, zeros, (run, sums) -> {
            Reg at = b.mul(run, length);
            List<Reg> scale = in.norm().map(n -> n.scale(at, length)).orElse(List.of());
            return add(run, sums, t -> scaled(Floats.load(b, left, x.get(t), at, length), scale));
        });
    }

    private List<Reg> scaled(List<Reg> values, List<Reg> scale) {
        List<Reg> out = new ArrayList<>(values);
        for (int i = 0; i < scale.size(); i++) {
            out.set(i, b.mul(values.get(i), scale.get(i)));
        }
        return out;
    }

    // ---- several tokens through shared memory ----

    /** Floats of shared memory for weights; the pieces of all runs of a chunk lie apart. */
    static int staging(List<WeightView> weights, int tokens, int workgroup, int lanes) {
        int length = WeightOperands.length(weights);
        int piece = Math.min(4, length);
        return length / piece * apart(chunk(weights, tokens, workgroup, lanes), tokens, piece);
    }

    private static int apart(int chunk, int tokens, int piece) {
        return (tokens * chunk + 2) * piece;
    }

    /**
     * Runs in shared memory at a time: a multiple of the lanes, and so many that the threads' pieces of a chunk are as many
     * for each, unless all fit.
     */
    private static int chunk(List<WeightView> weights, int tokens, int workgroup, int lanes) {
        int length = WeightOperands.length(weights);
        int all = (weights.getFirst().columns() / length + lanes - 1) / lanes * lanes;
        int pieces = length / Math.min(4, length);
        int unit = Math.max(lanes, workgroup / Math.min(workgroup, pieces));
        return Math.min(all, Math.max(unit, STAGED / (tokens * length) / unit * unit));
    }

    private List<Reg> staged(List<Reg> zeros) {
        int lanes = b.subgroupSize();
        int chunk = chunk(product.weights(), tokens, b.workgroupSize(), lanes);
        int piece = Math.min(4, length);
        int apart = apart(chunk, tokens, piece);
        SharedArray shared = in.staging().orElseThrow();
        List<Reg> carried = new ArrayList<>(zeros);
        in.norm().ifPresent(n -> carried.addAll(Collections.nCopies(tokens, b.f32(0))));
        List<Reg> out = b.loop(b.u32(0), b.u32(runs), chunk, carried, (from, before) -> {
            b.barrier();
            List<Reg> squares = stage(shared, from, chunk, piece, apart, before.subList(zeros.size(), before.size()));
            b.barrier();
            List<Reg> sums = b.loop(b.lane(), b.min(b.u32(chunk), b.sub(b.u32(runs), from)), lanes, before.subList(0, zeros.size()), (run, sum) ->
                    add(b.add(from, run), sum, t -> {
                        List<Reg> values = new ArrayList<>(length);
                        for (int p = 0; p < length / piece; p++) {
                            values.addAll(b.load(shared, b.add(b.mul(b.add(run, t * chunk), piece), p * apart), piece));
                        }
                        return values;
                    }));
            List<Reg> next = new ArrayList<>(sums);
            next.addAll(squares);
            return next;
        });
        in.norm().ifPresent(n -> n.found(out.subList(zeros.size(), out.size())));
        return out.subList(0, zeros.size());
    }

    /**
     * Puts {@code chunk} runs of all tokens into shared memory: piece p of a run lies {@code p * apart} further on.
     *
     * @param squares the thread's sums of squares of each token, where there is a norm
     * @return those with the chunk's
     */
    private List<Reg> stage(SharedArray shared, Reg from, int chunk, int piece, int apart, List<Reg> squares) {
        int pieces = length / piece;
        List<Reg> out = squares;
        for (int first = 0; first < chunk * pieces; first += b.workgroupSize()) {
            Reg i = b.add(b.thread(), first);
            Reg run = b.div(i, pieces);
            Reg own = first + b.workgroupSize() <= chunk * pieces ? b.bool(true) : b.lt(i, chunk * pieces);
            List<Reg> before = out;
            out = b.choose(b.and(own, b.lt(b.add(from, run), runs)), () -> {
                Reg at = b.mul(b.mad(from, pieces, i), piece);
                List<Reg> scale = in.norm().map(n -> n.scale(at, piece)).orElse(List.of());
                List<Reg> next = new ArrayList<>(before);
                for (int t = 0; t < tokens; t++) {
                    List<Reg> values = Floats.load(b, left, x.get(t), at, piece);
                    b.store(shared, b.mad(b.rem(i, pieces), apart, b.mul(b.add(run, t * chunk), piece)), scaled(values, scale));
                    if (!next.isEmpty()) {
                        next.set(t, RowNorm.square(b, values, next.get(t)));
                    }
                }
                return next;
            }, () -> before);
        }
        return out;
    }

    // ---- runs ----

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
