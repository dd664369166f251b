package poot.core.kernel.generate.move;

import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Rowed;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * {@code out[i] = data[indices[i]]}, row by row, zeros where the index is none of data's. Parameters: data
 * [rows, width], indices I32 [count], out [count, width].
 *
 * @param from  element type of data
 * @param to    element type of out: the same, or F32 of narrower floats
 * @param rows  of data
 * @param width elements of a row
 * @param count of indices
 */
public record GatherRows(ElementType from, ElementType to, int rows, int width, int count) implements Rowed {
    private Flat flat() {
        return new Flat((long) count * width);
    }

    /** A thread for each element of the result. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = flat().threads("gather_rows", limits);
        Reg data = b.buffer("data", Access.READ);
        Reg indices = b.buffer("indices", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = Flat.thread(b);
        b.when(flat().holds(b, i), () -> element(b, List.of(data, indices, out), i));
        return b.build();
    }

    private void element(KernelBuilder b, List<Reg> params, Reg i) {
        MemoryType read = from == to ? Elements.bits(from.bytes()) : Elements.memory(from);
        MemoryType write = from == to ? read : Elements.memory(to);
        Reg row = b.toU32(b.load(MemoryType.I32, params.get(1), b.div(i, width)));
        Reg value = b.either(b.lt(row, rows),
                () -> b.load(read, b.advance(params.get(0), row, (long) width * read.bytes()), b.rem(i, width)),
                () -> b.number(read.register(), 0));
        b.store(write, params.get(2), i, value);
    }

    @Override
    public long items(int number) {
        return count;
    }

    @Override
    public long threads(long items, DeviceLimits limits) {
        return items * width;
    }

    @Override
    public void part(KernelBuilder b, List<Reg> params, Reg first, long items, String prefix) {
        Rowed.spread(b, b.mul(first, width), items * width, i -> element(b, params, i));
    }
}
