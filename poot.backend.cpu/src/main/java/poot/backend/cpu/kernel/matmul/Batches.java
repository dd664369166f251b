package poot.backend.cpu.kernel.matmul;

import poot.api.graph.Shape;

/** Where the matrices of an operand lie when its leading axes broadcast to those of a result. */
final class Batches {
    private final int[] extents;
    private final long[] strides;

    /** Leading axes {@code operand} of an operand in the leading axes {@code result}. */
    Batches(Shape operand, Shape result) {
        int rank = result.rank();
        extents = result.dims();
        strides = new long[rank];
        long stride = 1;
        for (int axis = rank - 1; axis >= 0; axis--) {
            int from = axis - rank + operand.rank();
            int own = from >= 0 ? operand.dim(from) : 1;
            strides[axis] = own == 1 ? 0 : stride;
            stride *= own;
        }
    }

    /** The operand's matrix for matrix {@code batch} of the result. */
    long at(long batch) {
        long left = batch;
        long at = 0;
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            at += left % extents[axis] * strides[axis];
            left /= extents[axis];
        }
        return at;
    }
}
