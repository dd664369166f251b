package poot.core.kernel.plan;

import java.util.List;
import poot.api.executor.ExecutorException;
import poot.api.graph.Equation;
import poot.api.graph.Shape;
import poot.api.graph.Value;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.generate.pointwise.Finish;

/** What is applied to the sums of products. */
final class ProductEnd {
    private ProductEnd() {}

    /**
     * The epilogue of products of one shape [.., n].
     *
     * @param applied elementwise equations on their results, in order
     * @param results what others read, of that shape
     * @param actuals gets what the epilogue takes
     */
    static Epilogue of(Planning to, List<Equation> products, List<Equation> applied, List<Value> results, List<Actual> actuals)
            throws ExecutorException {
        List<Value> sums = products.stream().map(Equation::output).toList();
        Shape shape = sums.getFirst().shape();
        int columns = shape.dim(-1);
        Epilogue out = new Epilogue.Store(sums.size(), columns);
        if (!results.equals(sums)) {
            Formula f = Formula.of(to, applied, sums, results);
            List<int[]> strides = f.operands().stream().map(o -> Strided.stretched(o.shape(), shape)).toList();
            Strided rows = Strided.of(shape.slice(0, shape.rank() - 1), strides);
            out = new Finish(f.expression(), sums.size(), rows, strides.stream().map(s -> s[s.length - 1]).toList(), columns);
            f.operands().forEach(o -> actuals.add(o.span()));
        }
        for (Value v : results) {
            actuals.add(to.result(v).span());
        }
        return out;
    }
}
