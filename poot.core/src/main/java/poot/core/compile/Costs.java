package poot.core.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import poot.api.executor.Kernel;
import poot.api.graph.Composite;
import poot.api.graph.Encoding;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Value;
import poot.api.graph.Weight;

/** Bytes and operations of a graph's equations. */
final class Costs {
    private final Graph graph;
    private final Map<Role, Weight> weights;
    private final Map<Integer, Equation> definition = new HashMap<>();

    Costs(Graph graph, Map<Role, Weight> weights) {
        this.graph = graph;
        this.weights = weights;
        graph.equations().forEach(e -> e.outputs().forEach(v -> definition.put(v.id(), e)));
    }

    KernelCost of(Kernel k) {
        List<String> names = new ArrayList<>();
        long read = 0;
        long written = 0;
        long flops = 0;
        Set<Integer> seen = new HashSet<>();
        Set<Integer> made = new HashSet<>();
        for (Equation e : k.equations()) {
            e.outputs().forEach(v -> made.add(v.id()));
            if (e.op() instanceof Op.Reshape || weightRead(e) && !k.outputs().contains(e.output())) {
                continue;
            }
            names.add(name(e.op()));
            flops += flops(e);
            for (int i = 0; i < e.inputs().size(); i++) {
                Value v = e.inputs().get(i);
                boolean outside = !made.contains(v.id()) || weightRead(definition.get(v.id()));
                if (outside && seen.add(v.id())) {
                    read += looked(e, i);
                }
            }
            for (Value v : e.outputs()) {
                written += k.outputs().contains(v) ? written(e, v) : 0;
            }
        }
        return new KernelCost(k.kind(), names, read, written, flops);
    }

    private boolean weightRead(Equation e) {
        return e.op() instanceof Op.PackedDecode
                || e.op() instanceof Op.Cast && definition.get(e.inputs().getFirst().id()).op() instanceof Op.Const;
    }

    private static String name(Op op) {
        if (op instanceof Op.Composed c) {
            return c.composite().name();
        }
        return op instanceof Op.Binary b ? b.kind().name().toLowerCase(Locale.ROOT) : op.getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    /** Bytes an equation reads of its operand {@code i}. */
    private long looked(Equation e, int i) {
        Value v = e.inputs().get(i);
        long whole = bytes(v);
        long extent = Math.max(1, v.shape().rank() == 0 ? 1 : v.shape().dim(0));
        return switch (e.op()) {
            case Op.Gather g when i == 0 -> whole / extent * e.inputs().get(1).shape().count();
            case Op.ScatterUpdate s when i == 0 -> s.add() ? written(e, e.output()) : 0;
            case Op.Composed c when c.composite() instanceof Composite.Attention a && cache(a, i) ->
                whole / extent * e.inputs().getFirst().shape().dim(0) * positions(a, e);
            default -> whole;
        };
    }

    /** Whether an attention reads its operand {@code i} slot by slot. */
    private static boolean cache(Composite.Attention a, int i) {
        return i == 1 || i == 2 || a.coded() && (i == 5 || i == 6);
    }

    /** Positions a query sees of a full row of the cache. */
    private static long positions(Composite.Attention a, Equation e) {
        long capacity = Math.min((long) e.inputs().get(3).shape().dim(1) * a.block(), e.inputs().get(1).shape().dim(0));
        return a.window() > 0 ? Math.min(capacity, a.window() + (long) e.inputs().getFirst().shape().dim(1) - 1) : capacity;
    }

    /** A value's bytes; of a weight as it is stored. */
    private long bytes(Value v) {
        Equation d = definition.get(v.id());
        if (weightRead(d)) {
            return bytes(d.inputs().getFirst());
        }
        if (!(d.op() instanceof Op.Const c)) {
            return v.type().bytes();
        }
        Weight w = weights.get(c.role());
        Encoding encoding = w.format().encoding();
        return encoding.blockBytes() > 0 ? w.shape().count() / encoding.blockElements() * encoding.blockBytes()
                : w.parts().stream().mapToLong(p -> p.byteSize()).sum() * w.shape().count() / Math.max(1, w.stored().count());
    }

    private static long written(Equation e, Value v) {
        return e.op() instanceof Op.ScatterUpdate ? e.inputs().get(2).type().bytes() : v.type().bytes();
    }

    private static long flops(Equation e) {
        long out = e.outputs().getFirst().shape().count();
        return switch (e.op()) {
            case Op.MatMul m -> 2 * out * e.inputs().getFirst().shape().dim(-1);
            case Op.Reduce r -> e.inputs().getFirst().shape().count();
            case Op.Composed c when c.composite() instanceof Composite.Attention a -> {
                long scores = out / e.output().shape().dim(-1) * positions(a, e);
                yield 2 * scores * (e.inputs().getFirst().shape().dim(-1) + e.output().shape().dim(-1));
            }
            case Op.Composed c when c.composite() instanceof Composite.FullAttention a -> {
                long scores = out / e.output().shape().dim(-1) * e.inputs().get(1).shape().dim(1);
                yield 2 * scores * (e.inputs().getFirst().shape().dim(-1) + e.output().shape().dim(-1));
            }
            default -> Elementwise.is(e.op()) || e.op() instanceof Op.Composed ? out : 0;
        };
    }

    /** Bytes no program of the graph can avoid. */
    long minimum() {
        Map<Integer, Long> most = new HashMap<>();
        long written = 0;
        for (Equation e : graph.equations()) {
            for (int i = 0; i < e.inputs().size() && !(e.op() instanceof Op.Reshape) && !weightRead(e); i++) {
                Value at = e.inputs().get(i);
                boolean cache = e.op() instanceof Op.Composed c && c.composite() instanceof Composite.Attention a && cache(a, i);
                if (cache || leaf(at)) {
                    most.merge(leafOf(at).id(), looked(e, i), Math::max);
                }
            }
            if (e.op() instanceof Op.ScatterUpdate && cached(e.output())) {
                written += written(e, e.output());
            }
        }
        written += graph.outputs().stream().mapToLong(o -> o.value().type().bytes()).sum();
        return most.values().stream().mapToLong(Long::longValue).sum() + written;
    }

    /** Whether a value is a stored weight, a slot or a state, perhaps under views. */
    private boolean leaf(Value v) {
        Op op = definition.get(leafOf(v).id()).op();
        return op instanceof Op.Const || op instanceof Op.Slot || op instanceof Op.State;
    }

    private Value leafOf(Value v) {
        Value at = v;
        while (definition.get(at.id()).op() instanceof Op.Reshape || weightRead(definition.get(at.id()))) {
            at = definition.get(at.id()).inputs().getFirst();
        }
        return at;
    }

    private boolean cached(Value v) {
        return graph.states().stream().anyMatch(c -> c.after().equals(v));
    }
}
