package poot.core.kernel.generate.product;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * The product of tiles within a workgroup, whatever the operands are: pieces of the operands are put into shared memory, the
 * threads multiply, and the finished sums are handed out again one element after another.
 */
sealed interface WorkgroupSums permits TileSums, FragmentSums {
    /** What is done with a finished element. */
    @FunctionalInterface
    interface Element {
        /**
         * Takes one element, by one thread.
         *
         * @param row U32 in the tile
         * @param column U32 in the tile
         * @param sums one for each product
         */
        void apply(Reg row, Reg column, List<Reg> sums);
    }

    /** Puts tiles of the operands, which begin at a place (U32) of the summed axis, by {@link #left} and {@link #right}: zeros beyond it. */
    interface Fill {
        /** The left operand's. */
        void left(Reg from);

        /** The right operand's of a product. */
        void right(int product, Reg from);
    }

    /** Whether neighbouring threads are to store what is neighbouring along the summed axis; else neighbouring rows or columns. */
    boolean isAlongDepth();

    /** Stores the left operand's elements at {@code row} and {@code depth} on, a multiple of as many: a power of two. */
    void left(Reg row, Reg depth, List<Reg> values);

    /** Stores the elements of a product's right operand at {@code column} and {@code depth} on, a multiple of as many: a power of two. */
    void right(int product, Reg column, Reg depth, List<Reg> values);

    /**
     * Makes the sums; in uniform flow.
     *
     * @param k extent of the summed axis
     * @param fill puts tiles; it may be asked for all of them twice
     */
    void run(int k, Fill fill, Element element);

    /** Rounds of a thread that are written out beside each other: what all of them read is waited for together, and held in registers. */
    int MOST_ROUNDS = 16;
    /** Of more rounds, how many are. */
    int ROUNDS = 8;

    /** Runs {@code body} for 0 to below {@code count}, spread over the threads. */
    static void spread(KernelBuilder b, int count, Consumer<Reg> body) {
        int together = ROUNDS * b.workgroupSize();
        if (count > MOST_ROUNDS * b.workgroupSize() && count % together == 0) {
            b.loop(b.thread(), b.u32(count), together, first -> {
                for (int round = 0; round < ROUNDS; round++) {
                    body.accept(b.add(first, round * b.workgroupSize()));
                }
            });
            return;
        }
        for (int from = 0; from < count; from += b.workgroupSize()) {
            Reg i = b.add(b.thread(), from);
            if (from + b.workgroupSize() <= count) {
                body.accept(i);
            } else {
                b.when(b.lt(i, count), () -> body.accept(i));
            }
        }
    }

    /** Hands out what lies in shared memory as [products, rows, columns], neighbouring columns to neighbouring threads. */
    static void hand(KernelBuilder b, SharedArray shared, int rows, int columns, int products, Element element) {
        int area = rows * columns;
        b.loop(b.thread(), b.u32(area), b.workgroupSize(), e -> {
            List<Reg> mine = new ArrayList<>();
            for (int p = 0; p < products; p++) {
                mine.add(b.load(shared, b.add(e, p * area)));
            }
            element.apply(b.div(e, columns), b.rem(e, columns), mine);
        });
    }
}
