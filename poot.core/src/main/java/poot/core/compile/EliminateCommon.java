package poot.core.compile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Value;

/**
 * {@code y = op(a); z = op(a)  ->  y = op(a); z is y}. Every operation is pure, random bits included. Bit-exact.
 */
record EliminateCommon() implements Pass {
    private record Key(Op op, List<Value> in) {
        /** By the operands where there are any, for few operations share them all, and one may hold a whole graph. */
        @Override
        public int hashCode() {
            return in.isEmpty() ? op.hashCode() : in.hashCode();
        }
    }

    @Override
    public Graph apply(Graph graph) {
        Rewrite r = new Rewrite(graph);
        Map<Key, Equation> known = new HashMap<>();
        for (Equation original : graph.equations()) {
            Equation e = r.of(original);
            Equation first = known.putIfAbsent(new Key(e.op(), e.inputs()), e);
            if (first == null) {
                r.emit(e);
                continue;
            }
            for (int i = 0; i < e.outputs().size(); i++) {
                r.replace(e.outputs().get(i), first.outputs().get(i));
            }
        }
        return r.finish();
    }
}
