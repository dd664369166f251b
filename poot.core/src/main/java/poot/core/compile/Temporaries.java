package poot.core.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import poot.api.executor.Kernel;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Value;

/**
 * The values a kernel makes for itself alone. One that elementwise equations make and read over one shape, that a
 * product makes for its epilogue, or that is gathered for a product, is never in memory; any other lies in the arena while the kernel runs.
 */
final class Temporaries {
    private Temporaries() {}

    /** Every value that is made by a kernel's own equations: not by a weight read or a view. */
    static List<Value> made(Kernel k, Function<Value, Equation> definition) {
        List<Value> out = new ArrayList<>();
        for (Equation e : k.equations()) {
            if (!(e.op() instanceof Op.Reshape) && (!weightRead(e, definition) || k.outputs().contains(e.output()))) {
                out.addAll(e.outputs());
            }
        }
        return out;
    }

    private static boolean weightRead(Equation e, Function<Value, Equation> definition) {
        return e.op() instanceof Op.PackedDecode
                || e.op() instanceof Op.Cast && definition.apply(e.inputs().getFirst()).op() instanceof Op.Const;
    }

    /** Those of a kernel's values that need memory while it runs though nothing reads them later. */
    static List<Value> inMemory(Kernel k, Function<Value, Equation> definition) {
        List<Value> out = new ArrayList<>(made(k, definition));
        out.removeIf(v -> k.outputs().contains(v) || internal(v, k, definition));
        return out;
    }

    private static boolean internal(Value v, Kernel k, Function<Value, Equation> definition) {
        Op maker = definition.apply(v).op();
        if (maker instanceof Op.Gather) {
            return k.kind() == Kernel.Kind.CONTRACTION;
        }
        return (Elementwise.is(maker) || maker instanceof Op.MatMul) && k.equations().stream()
                .filter(e -> e.inputs().contains(v))
                .allMatch(e -> Elementwise.is(e.op())
                        && (k.kind() != Kernel.Kind.ROW || e.output().shape().equals(v.shape())));
    }
}
