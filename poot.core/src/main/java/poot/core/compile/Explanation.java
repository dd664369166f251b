package poot.core.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import poot.api.executor.BufferPlan.Place;
import poot.api.executor.Program;
import poot.api.executor.Target;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Value;
import poot.api.graph.Weight;

/**
 * What the compiler made of a graph, and what the program costs: a function of the graph, the weights' formats and the
 * target. Attention is counted over a full cache, or the window where there is one.
 *
 * @param passes      in the order they ran
 * @param kernels     in the order they run: one dispatch each
 * @param arenaBytes  of the plan
 * @param peakBytes   most bytes of values alive in the arena at once
 * @param minimum     bytes any program of this graph moves: each weight read and each slot read once, of tables and
 *     caches what is looked at, the rows of caches written, results written
 */
public record Explanation(
        List<PassEffect> passes, List<KernelCost> kernels, long arenaBytes, long peakBytes, long minimum) {
    public Explanation {
        passes = List.copyOf(passes);
        kernels = List.copyOf(kernels);
    }

    /**
     * Compiles and explains.
     *
     * @throws CompileException as {@link Compiler#compile} does
     */
    public static Explanation of(Graph graph, Map<Role, Weight> weights, Target target, CompileOptions options)
            throws CompileException {
        List<PassEffect> passes = new ArrayList<>();
        Program p = Compiler.compile(graph, weights, target, options, passes::add);
        Costs costs = new Costs(p.graph(), weights);
        return new Explanation(passes, p.kernels().stream().map(costs::of).toList(), p.buffers().arenaBytes(), peak(p), costs.minimum());
    }

    /** Bytes read and written by all kernels. */
    public long bytesMoved() {
        return kernels.stream().mapToLong(k -> k.read() + k.written()).sum();
    }

    /** Of all kernels. */
    public long flops() {
        return kernels.stream().mapToLong(KernelCost::flops).sum();
    }

    private static long peak(Program p) {
        Liveness live = new Liveness(p.graph(), p.kernels());
        long[] begun = new long[p.kernels().size() + 1];
        for (Equation e : p.graph().equations()) {
            for (Value v : e.outputs()) {
                if (p.buffers().places().get(v.id()) instanceof Place.Arena a && !(e.op() instanceof Op.Reshape)) {
                    begun[live.maker(v)] += a.bytes();
                    int last = live.lastUse(v);
                    if (last < p.kernels().size()) {
                        begun[last + 1] -= a.bytes();
                    }
                }
            }
        }
        long now = 0;
        long most = 0;
        for (long change : begun) {
            now += change;
            most = Math.max(most, now);
        }
        return most;
    }
}
