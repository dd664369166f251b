package poot.core.compile;

import java.util.List;
import java.util.Map;
import poot.api.executor.Target;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Format;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.Value;
import poot.api.graph.Weight;

/**
 * {@code w = const f32(role)  ->  w = read(const stored(role))}, where read is nothing for F32, a cast for F16 and
 * BF16, and {@link Op.PackedDecode} for the packed formats. Bit-exact: the value of a weight is its decoding.
 *
 * @param weights the stored weight of every role
 * @param target  asked whether it reads a format
 */
record BindWeights(Map<Role, Weight> weights, Target target) implements Pass {
    @Override
    public Graph apply(Graph graph) throws CompileException {
        Rewrite r = new Rewrite(graph);
        for (Equation original : graph.equations()) {
            Equation e = r.of(original);
            if (e.op() instanceof Op.Const c && c.type().element() == ElementType.F32) {
                bind(c, e, r);
            } else {
                r.emit(e);
            }
        }
        return r.finish();
    }

    private void bind(Op.Const c, Equation e, Rewrite r) throws CompileException {
        Weight weight = weights.get(c.role());
        if (weight == null) {
            throw new CompileException(new CompileException.Unbound(c.role(), e.scope()));
        }
        if (!weight.shape().equals(c.type().shape())) {
            throw new CompileException(
                    new CompileException.WrongWeight(c.role(), weight.name(), c.type().shape(), weight.shape()));
        }
        Format format = weight.format();
        if (!target.reads(format)) {
            throw new CompileException(new CompileException.Refused(
                    target.name(), "weight \"" + weight.name() + "\" of role " + c.role(), e.scope(),
                    "it reads no " + format.encoding()));
        }
        ElementType element = format.encoding().element();
        if (element == ElementType.F32) {
            r.emit(e);
            return;
        }
        Op.Const stored = new Op.Const(c.role(), c.type().with(element));
        Value bytes = r.append(stored, List.of(), stored.type(), e.scope());
        Op read = element == ElementType.PACKED ? new Op.PackedDecode(format) : new Op.Cast(ElementType.F32);
        r.emit(new Equation(read, List.of(bytes), e.outputs(), e.scope()));
    }
}
