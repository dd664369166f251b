package poot.core.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Value;

/**
 * {@code graph -> kernels}: one kernel an equation, in the graph's order, without leaves and reshapes. A weight read
 * (a packed decode, or the cast of a stored constant) is repeated at the head of every kernel that consumes it and
 * stays inside; it is a kernel of its own only where its value itself must lie in memory: under a reshape, or as a
 * result of the graph. Bit-exact: nothing is reordered.
 */
final class GroupKernels {
    private final Graph graph;
    private final Map<Integer, Equation> definition = new HashMap<>();
    private final Set<Integer> absorbed = new HashSet<>();

    private GroupKernels(Graph graph) {
        this.graph = graph;
    }

    /** The kernels of a bound graph. */
    public static List<Kernel> of(Graph graph) {
        return new GroupKernels(graph).group();
    }

    /** Whether an operation is never run: its value lies somewhere already. */
    static boolean resident(Op op) {
        return op instanceof Op.Const || op instanceof Op.Slot || op instanceof Op.State || op instanceof Op.Literal
                || op instanceof Op.Reshape;
    }

    private List<Kernel> group() {
        graph.equations().forEach(e -> e.outputs().forEach(v -> definition.put(v.id(), e)));
        graph.equations().stream().filter(this::weightRead).forEach(e -> absorbed.add(e.output().id()));
        graph.equations().stream().filter(e -> e.op() instanceof Op.Reshape)
                .forEach(e -> absorbed.remove(e.inputs().get(0).id()));
        graph.outputs().forEach(o -> absorbed.remove(o.value().id()));
        graph.states().forEach(c -> absorbed.remove(c.after().id()));
        graph.validations().forEach(v -> absorbed.remove(v.ok().id()));
        List<Kernel> kernels = new ArrayList<>();
        for (Equation e : graph.equations()) {
            if (!resident(e.op()) && !(e.outputs().size() == 1 && absorbed.contains(e.output().id()))) {
                kernels.add(kernel(e));
            }
        }
        return kernels;
    }

    private boolean weightRead(Equation e) {
        return e.op() instanceof Op.PackedDecode
                || e.op() instanceof Op.Cast && definition.get(e.inputs().get(0).id()).op() instanceof Op.Const;
    }

    private Kernel kernel(Equation e) {
        List<Equation> equations = new ArrayList<>();
        Set<Value> inputs = new LinkedHashSet<>();
        for (Value v : new LinkedHashSet<>(e.inputs())) {
            if (absorbed.contains(v.id())) {
                Equation read = definition.get(v.id());
                equations.add(read);
                inputs.addAll(read.inputs());
            } else {
                inputs.add(v);
            }
        }
        equations.add(e);
        return new Kernel(kind(e), equations, List.copyOf(inputs), e.outputs(), 1);
    }

    private static Kernel.Kind kind(Equation e) {
        return switch (e.op()) {
            case Op.Const o -> Kernel.Kind.NONE;
            case Op.Slot o -> Kernel.Kind.NONE;
            case Op.State o -> Kernel.Kind.NONE;
            case Op.Param o -> Kernel.Kind.NONE;
            case Op.Literal o -> Kernel.Kind.NONE;
            case Op.Reshape o -> Kernel.Kind.NONE;
            case Op.Iota o -> Kernel.Kind.POINTWISE;
            case Op.Unary o -> Kernel.Kind.POINTWISE;
            case Op.Binary o -> Kernel.Kind.POINTWISE;
            case Op.Compare o -> Kernel.Kind.POINTWISE;
            case Op.Select o -> Kernel.Kind.POINTWISE;
            case Op.Cast o -> Kernel.Kind.POINTWISE;
            case Op.PackedDecode o -> Kernel.Kind.MOVEMENT;
            case Op.Reduce o -> Kernel.Kind.ROW;
            case Op.ArgReduce o -> Kernel.Kind.ROW;
            case Op.MatMul o -> Kernel.Kind.CONTRACTION;
            case Op.Transpose o -> Kernel.Kind.MOVEMENT;
            case Op.Slice o -> Kernel.Kind.MOVEMENT;
            case Op.Concat o -> Kernel.Kind.MOVEMENT;
            case Op.Broadcast o -> Kernel.Kind.MOVEMENT;
            case Op.Pad o -> Kernel.Kind.MOVEMENT;
            case Op.Gather o -> Kernel.Kind.MOVEMENT;
            case Op.TakeAlong o -> Kernel.Kind.MOVEMENT;
            case Op.ScatterUpdate o -> Kernel.Kind.MOVEMENT;
            case Op.TopK o -> Kernel.Kind.SPECIAL;
            case Op.PrefixScan o -> Kernel.Kind.SPECIAL;
            case Op.RandomBits o -> Kernel.Kind.SPECIAL;
            case Op.Composed o -> Kernel.Kind.CLAIMED;
        };
    }
}
