package poot.core.compile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.Target;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Value;

/**
 * {@code y = composite{body}(a)  ->  body[param := a]} for every composite the target does not claim, or claims but
 * refuses with these operands; nested ones likewise. Bit-exact: a body is its composite's definition.
 *
 * @param target who is asked
 */
record InlineComposites(Target target) implements Pass {
    @Override
    public Graph apply(Graph graph) {
        Rewrite r = new Rewrite(graph);
        for (Equation original : graph.equations()) {
            Equation e = r.of(original);
            if (e.op() instanceof Op.Composed c && !claimed(c, e)) {
                List<Value> results = inline(c, e, r);
                for (int i = 0; i < results.size(); i++) {
                    r.replace(original.outputs().get(i), results.get(i));
                }
            } else {
                r.emit(e);
            }
        }
        return r.finish();
    }

    private boolean claimed(Op.Composed c, Equation e) {
        return target.claims(c.composite()) && target.refusal(e).isEmpty();
    }

    /** Emits the body over the operands of {@code call}; depth is bounded by the nesting the tracer recorded. */
    private List<Value> inline(Op.Composed c, Equation call, Rewrite r) {
        Map<Integer, Value> inner = new HashMap<>();
        String scope = call.scope().isEmpty() ? c.composite().name() : call.scope() + "." + c.composite().name();
        for (Equation e : c.body().equations()) {
            if (e.op() instanceof Op.Param p) {
                inner.put(e.output().id(), call.inputs().get(p.index()));
                continue;
            }
            List<Value> in = e.inputs().stream().map(v -> inner.get(v.id())).toList();
            List<Value> out = e.outputs().stream().map(v -> r.fresh(v.type())).toList();
            Equation copy = new Equation(e.op(), in, out, e.scope().isEmpty() ? scope : scope + "." + e.scope());
            if (e.op() instanceof Op.Composed nested && !claimed(nested, copy)) {
                out = inline(nested, copy, r);
            } else {
                r.emit(copy);
            }
            for (int i = 0; i < out.size(); i++) {
                inner.put(e.outputs().get(i).id(), out.get(i));
            }
        }
        return c.body().outputs().stream().map(o -> inner.get(o.value().id())).toList();
    }
}
