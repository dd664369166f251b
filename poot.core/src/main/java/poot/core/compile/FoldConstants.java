package poot.core.compile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.LiteralData;
import poot.api.graph.Op;
import poot.api.graph.Value;

/**
 * {@code op(literals)  ->  literal}, for results of at most {@value #LARGEST} elements and operations whose result is
 * fixed by IEEE 754 or integer arithmetic. Bit-exact: transcendental functions, reductions and anything that yields
 * NaN are left to the device.
 */
record FoldConstants() implements Pass {
    /** Elements of the largest literal this pass makes. */
    static final int LARGEST = 1024;

    @Override
    public Graph apply(Graph graph) {
        Rewrite r = new Rewrite(graph);
        Map<Integer, LiteralData> literals = new HashMap<>();
        for (Equation original : graph.equations()) {
            Equation e = r.of(original);
            Optional<LiteralData> folded = folded(e, literals);
            if (folded.isPresent()) {
                e = new Equation(new Op.Literal(folded.get()), List.of(), e.outputs(), e.scope());
            }
            if (e.op() instanceof Op.Literal l) {
                literals.put(e.output().id(), l.data());
            }
            r.emit(e);
        }
        return r.finish();
    }

    private static Optional<LiteralData> folded(Equation e, Map<Integer, LiteralData> literals) {
        if (e.inputs().isEmpty() || e.outputs().size() != 1 || e.output().shape().count() > LARGEST
                || !foldable(e.output().element())) {
            return Optional.empty();
        }
        List<LiteralData> in = e.inputs().stream().map(v -> literals.get(v.id())).toList();
        if (in.contains(null)) {
            return Optional.empty();
        }
        Value out = e.output();
        int[] bits = new int[(int) out.shape().count()];
        for (int i = 0; i < bits.length; i++) {
            Optional<Integer> word = LiteralArithmetic.element(e, in, i);
            if (word.isEmpty()) {
                return Optional.empty();
            }
            bits[i] = word.get();
        }
        return Optional.of(literal(out, bits));
    }

    private static boolean foldable(ElementType t) {
        return switch (t) {
            case F32, I32, U32, BOOL -> true;
            case F16, BF16, PACKED -> false;
        };
    }

    private static LiteralData literal(Value out, int[] bits) {
        if (out.element() != ElementType.F32) {
            return LiteralData.words(out.element(), out.shape(), bits);
        }
        float[] f = new float[bits.length];
        for (int i = 0; i < f.length; i++) {
            f[i] = Float.intBitsToFloat(bits[i]);
        }
        return LiteralData.floats(out.shape(), f);
    }
}
