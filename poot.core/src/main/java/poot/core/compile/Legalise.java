package poot.core.compile;

import java.util.Optional;
import poot.api.executor.Target;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;

/**
 * {@code graph -> graph}, or a refusal naming the first equation the target cannot run and what it lacks. The
 * identity where it succeeds, so bit-exact.
 *
 * @param target who is asked
 */
record Legalise(Target target) implements Pass {
    @Override
    public Graph apply(Graph graph) throws CompileException {
        for (Equation e : graph.equations()) {
            Optional<String> lack = leaf(e.op()) ? Optional.empty() : target.refusal(e);
            if (lack.isPresent()) {
                throw new CompileException(
                        new CompileException.Refused(target.name(), e.toString(), e.scope(), lack.get()));
            }
        }
        return graph;
    }

    private static boolean leaf(Op op) {
        return op instanceof Op.Const || op instanceof Op.Slot || op instanceof Op.State || op instanceof Op.Literal;
    }
}
