package poot.core.kernel.plan;

import java.util.List;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.executor.Kernel;
import poot.api.graph.Composite;
import poot.api.graph.Equation;
import poot.api.graph.Op;
import poot.api.graph.Value;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.generate.product.Normed;
import poot.core.kernel.generate.product.RowProducts;

/**
 * A root mean square norm that products take in: nothing reads its result but they, and what it reads is read later too, so
 * that it is still there when they run. How many rows there are has no part in it.
 *
 * @param x      what is normalised
 * @param weight the norm's
 */
record NormBefore(Operand x, Normed norm, Operand weight) {
    /** The norm that a kernel is, where the products of the kernel after it can take it in. */
    static Optional<NormBefore> of(Planning to, Readers readers, List<Kernel> all, int kernel) throws ExecutorException {
        List<Equation> own = all.get(kernel).equations().stream().filter(e -> e.op() instanceof Op.Composed).toList();
        if (kernel + 1 >= all.size() || all.get(kernel + 1).kind() != Kernel.Kind.CONTRACTION || own.size() != 1
                || all.get(kernel).outputs().size() != 1
                || !(own.getFirst().op() instanceof Op.Composed c && c.composite() instanceof Composite.RmsNorm n)) {
            return Optional.empty();
        }
        Equation e = own.getFirst();
        Value x = e.inputs().getFirst();
        Value w = e.inputs().get(1);
        boolean alone = all.get(kernel).equations().stream().allMatch(o -> o == e || to.weight(o.outputs().getFirst()).isPresent())
                && all.get(kernel).outputs().getFirst().equals(e.output()) && readers.only(e.output(), kernel + 1);
        boolean stays = readers.after(x, kernel) && to.weight(x).isEmpty() && to.weight(w).filter(Resident::isDense).isPresent();
        if (!alone || !stays || !takes(to, all.get(kernel + 1), e.output())) {
            return Optional.empty();
        }
        Operand weight = to.operand(w);
        return Optional.of(new NormBefore(to.operand(x), Normed.of(n, weight.element()), weight));
    }

    /** Whether the products of a kernel, and no other equations of it, take a value as their left operand, its rows being theirs. */
    private static boolean takes(Planning to, Kernel k, Value normed) throws ExecutorException {
        Value root = to.places().root(normed);
        for (Equation e : k.equations()) {
            for (int i = 0; i < e.inputs().size(); i++) {
                boolean left = e.op() instanceof Op.MatMul && i == 0 && e.inputs().getFirst().shape().dim(-1) == normed.shape().dim(-1);
                boolean read = to.places().root(e.inputs().get(i)).equals(root);
                if (!(e.op() instanceof Op.Reshape) && left != read) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether the products with these weights can take it in. */
    boolean fits(List<List<WeightView>> weights) {
        return x.beginsAtFour() && weight.beginsAtFour() && weights.stream().allMatch(RowProducts::normalises);
    }
}
