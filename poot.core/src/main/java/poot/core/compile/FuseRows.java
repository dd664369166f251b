package poot.core.compile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;

/**
 * {@code i: y = f(a); j: z = g(y, b)  ->  i: y, z = f(a), g(y, b) row by row} where f and g are of {@link RowForm}, and
 * likewise where both read results of one kernel: residual and norm; the norms and rotations of queries and keys and
 * their writes to the cache. Bit-exact: each row is computed as before.
 */
record FuseRows() implements KernelPass {
    /** Equations and inputs of the largest kernel this makes. */
    private static final int LARGEST = 24;
    /** Elements of a row above which a kernel of few rows is not made: its rows are all the work there is to share. */
    private static final long WIDEST = 16384;
    /** Rows that suffice for any width. */
    private static final long MANY = 64;

    @Override
    public List<Kernel> apply(Graph graph, List<Kernel> kernels) {
        Grouping g = new Grouping(graph, kernels);
        for (int k = 0; k < g.size(); k++) {
            while (rowed(g, g.group(k)).isPresent()) {
                Optional<Integer> joined = joined(g, k);
                if (joined.isEmpty()) {
                    break;
                }
                k = joined.get();
            }
        }
        return g.kernels();
    }

    /** Where the group is that {@code k} became part of, if it did. */
    private static Optional<Integer> joined(Grouping g, int k) {
        int own = g.group(k).made().iterator().next();
        for (int i : candidates(g, k).descendingSet()) {
            Optional<Long> rows = together(g, i, k);
            if (rows.isPresent() && g.join(i, k, kind(g, i, k), kind(g, i, k) == Kernel.Kind.ROW ? rows.get() : 1)) {
                return g.maker(own);
            }
        }
        return Optional.empty();
    }

    /** The groups before {@code k} that make what it reads, or read what one group makes for both. */
    private static TreeSet<Integer> candidates(Grouping g, int k) {
        TreeSet<Integer> out = new TreeSet<>();
        for (int read : g.group(k).read()) {
            g.maker(read).filter(i -> i != k).ifPresent(i -> {
                out.add(i);
                g.group(i).made().forEach(v -> out.addAll(g.readers(v)));
            });
        }
        // Every layer may read one value: most of the groups that do cannot be joined, which is known soonest.
        out.removeIf(i -> i >= k || !g.joinable(i, k) || rowed(g, g.group(i)).isEmpty());
        return out;
    }

    private static Optional<Long> rowed(Grouping g, Grouping.Group group) {
        boolean kind = switch (group.kind()) {
            case POINTWISE, ROW, MOVEMENT, CLAIMED -> true;
            case NONE, CONTRACTION, SPECIAL -> false;
        };
        boolean read = group.equations().stream().anyMatch(g::weightRead);
        return kind && !read ? RowForm.rows(group.equations(), g::root) : Optional.empty();
    }

    private static Optional<Long> together(Grouping g, int i, int k) {
        List<Equation> both = new ArrayList<>(g.group(i).equations());
        both.addAll(g.group(k).equations());
        if (both.size() > LARGEST || g.operands(both) > LARGEST) {
            return Optional.empty();
        }
        Optional<Long> rows = RowForm.rows(both, g::root);
        long least = Math.min(fewest(g, g.group(i)), fewest(g, g.group(k)));
        return rows.filter(n -> (n >= least || least == Long.MAX_VALUE) && (n >= MANY || widest(both) / n <= WIDEST));
    }

    /** The rows a group works in; an elementwise one can be cut anywhere. */
    private static long fewest(Grouping g, Grouping.Group group) {
        return g.elementwise(group) ? Long.MAX_VALUE : rowed(g, group).orElse(0L);
    }

    /** The elements the largest of some equations works on. */
    private static long widest(Collection<Equation> equations) {
        return equations.stream().map(e -> switch (e.op()) {
            case Op.ScatterUpdate s -> e.inputs().get(2);
            case Op.Reduce r -> e.inputs().getFirst();
            case Op.ArgReduce r -> e.inputs().getFirst();
            default -> e.outputs().getFirst();
        }).mapToLong(v -> v.shape().count()).max().orElse(0);
    }

    private static Kernel.Kind kind(Grouping g, int i, int k) {
        List<Equation> both = new ArrayList<>(g.group(i).equations());
        both.addAll(g.group(k).equations());
        boolean one = both.stream().allMatch(e -> Elementwise.is(e.op()))
                && Elementwise.common(both).filter(s -> g.outputs(both).stream().allMatch(v -> v.shape().equals(s))).isPresent();
        return one ? Kernel.Kind.POINTWISE : Kernel.Kind.ROW;
    }
}
