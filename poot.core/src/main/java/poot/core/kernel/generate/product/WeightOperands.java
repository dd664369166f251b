package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.decode.WeightDecoder;
import poot.core.kernel.decode.WeightRow;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * What products with stored weights read, declared in a kernel: x, rows (U32), and the sources of each weight.
 *
 * @param x the left operand [rows, columns of the weights]
 * @param rows U32
 * @param sources of each weight
 */
record WeightOperands(KernelBuilder b, ElementType left, List<WeightView> weights, Reg x, Reg rows, List<List<Reg>> sources) {
    /** Declares them. */
    static WeightOperands declare(KernelBuilder b, ElementType left, List<WeightView> weights) {
        return declare(b, left, weights, b.buffer("x", Access.READ), b.scalar("rows", ScalarType.U32), "");
    }

    /** Declares the sources; {@code prefix} begins their names. */
    static WeightOperands declare(KernelBuilder b, ElementType left, List<WeightView> weights, Reg x, Reg rows, String prefix) {
        List<List<Reg>> sources = new ArrayList<>();
        for (int i = 0; i < weights.size(); i++) {
            sources.add(weights.get(i).decoder().declare(b, prefix + "weight" + i));
        }
        return new WeightOperands(b, left, weights, x, rows, sources);
    }

    /** Refuses weights of which no product with one operand and one epilogue can be made. */
    static void check(ElementType left, List<WeightView> weights, int sums) {
        if (!left.isFloat() || weights.isEmpty() || weights.size() != sums) {
            throw new IllegalArgumentException("a product of " + left + " with " + weights.size() + " weights and an epilogue of " + sums + " sums");
        }
        for (WeightView w : weights) {
            if (w.rows() != weights.getFirst().rows() || w.columns() != weights.getFirst().columns()) {
                throw new IllegalArgumentException("one product with weights " + w + " and " + weights.getFirst() + ": give them the same extents");
            }
        }
    }

    /** Elements of a run that suits every weight: the longest of their runs. */
    static int length(List<WeightView> weights) {
        return weights.stream().mapToInt(w -> w.decoder().length()).max().orElseThrow();
    }

    /** Where a row of x begins. */
    Reg xRow(Reg row) {
        return b.advance(x, row, (long) weights.getFirst().columns() * Elements.memory(left).bytes());
    }

    /** The row {@code row} (U32) of the view of a weight. */
    WeightRow row(int weight, Reg row) {
        WeightView w = weights.get(weight);
        return decoder(weight).row(b, sources.get(weight), b.add(row, w.firstRow()));
    }

    /** Who reads a weight. */
    WeightDecoder decoder(int weight) {
        return weights.get(weight).decoder();
    }
}
