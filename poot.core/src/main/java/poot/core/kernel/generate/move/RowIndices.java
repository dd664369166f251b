package poot.core.kernel.generate.move;

import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * The rows of matrices: {@code out[i, j] = indices[i] * each + j}, -1 where the index is no matrix. Parameters: indices
 * I32 [count], out I32 [count, each].
 *
 * @param matrices how many there are
 * @param each     rows of a matrix
 * @param count    of indices
 */
public record RowIndices(int matrices, int each, int count) implements Generator {
    private Flat flat() {
        return new Flat((long) count * each);
    }

    /** A thread for each row. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = flat().threads("row_indices", limits);
        Reg indices = b.buffer("indices", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = Flat.thread(b);
        b.when(flat().holds(b, i), () -> {
            Reg matrix = b.toU32(b.load(MemoryType.I32, indices, b.div(i, each)));
            Reg row = b.mad(matrix, each, b.rem(i, each));
            b.store(MemoryType.I32, out, i, b.select(b.lt(matrix, matrices), b.toI32(row), b.i32(-1)));
        });
        return b.build();
    }
}
