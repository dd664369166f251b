package poot.core.kernel.generate;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * What a product does with the finished sums of one result element: it computes on them and stores the results. A record,
 * part of the product's generator, and equal where its code is equal. The parameters it declares follow the product's own,
 * so that whoever launches the kernel appends their arguments.
 */
public interface Epilogue {
    /** How many products' sums it takes for each element: products of one operand with several weights run as one. */
    int sums();

    /**
     * Declares what it reads and writes; called once, after the product declared its parameters, outside all flow.
     *
     * @param prefix begins the names of its parameters
     */
    Bound declare(KernelBuilder b, String prefix);

    /** As above, where the kernel has no other epilogue. */
    default Bound declare(KernelBuilder b) {
        return declare(b, "");
    }

    /** An epilogue whose parameters are declared. */
    @FunctionalInterface
    interface Bound {
        /**
         * Finishes one element; in any flow, by one thread for each element.
         *
         * @param row    U32, over the flattened leading axes of the result
         * @param column U32
         * @param sums   F32, one for each product
         */
        void apply(Reg row, Reg column, List<Reg> sums);
    }

    /**
     * The sums themselves. Parameters: for each product its result, F32 [rows, columns].
     *
     * @param sums    how many products
     * @param columns of each result
     */
    record Store(int sums, int columns) implements Epilogue {
        @Override
        public Bound declare(KernelBuilder b, String prefix) {
            List<Reg> results = new ArrayList<>();
            for (int i = 0; i < sums; i++) {
                results.add(b.buffer(prefix + "result" + i, Access.WRITE));
            }
            return (row, column, values) -> {
                for (int i = 0; i < sums; i++) {
                    b.store(MemoryType.F32, results.get(i), b.mad(row, columns, column), values.get(i));
                }
            };
        }
    }
}
