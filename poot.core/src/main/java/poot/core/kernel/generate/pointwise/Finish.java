package poot.core.kernel.generate.pointwise;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Epilogue;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;

/**
 * Elementwise equations on the sums of products: {@code results[row, column] = expression(sums, operands[row, column])}.
 * Parameters: the operands, then the results, each dense [rows, columns].
 *
 * @param expression its inputs are the sums, F32, then the operands
 * @param sums       how many products
 * @param rows       visits the rows: operand j has its row where operand j of this says
 * @param across     elements from a column to the next, of each operand
 * @param columns    of each result
 */
public record Finish(Expression expression, int sums, Strided rows, List<Integer> across, int columns) implements Epilogue {
    public Finish {
        across = List.copyOf(across);
    }

    @Override
    public Bound declare(KernelBuilder b, String prefix) {
        List<Reg> operands = new ArrayList<>();
        List<Reg> results = new ArrayList<>();
        for (int i = 0; i < across.size(); i++) {
            operands.add(b.buffer(prefix + "operand" + i, Access.READ));
        }
        for (int i = 0; i < expression.results().size(); i++) {
            results.add(b.buffer(prefix + "result" + i, Access.WRITE));
        }
        return (row, column, values) -> {
            List<Reg> in = new ArrayList<>(values);
            List<Reg> first = rows.indices(b, row);
            for (int i = 0; i < operands.size(); i++) {
                Reg index = b.add(first.get(i), b.mul(column, across.get(i)));
                in.add(Elements.load(b, expression.inputs().get(sums + i), operands.get(i), index));
            }
            List<Reg> out = expression.apply(b, in);
            for (int i = 0; i < results.size(); i++) {
                Elements.store(b, expression.type(expression.results().get(i)), results.get(i), b.mad(row, columns, column), out.get(i));
            }
        };
    }
}
