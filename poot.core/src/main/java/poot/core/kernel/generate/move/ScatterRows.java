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
 * Rows written to, or added to, rows of a tensor in place: {@code target[indices[i]] = updates[i]} or {@code +=}; an index
 * that is none of target's is dropped. Rows that are replaced are distinct; where several are added to one row, they are
 * added in the order of their indices, so that the sum is always the same. Parameters: indices I32 [count], updates
 * [count, width], target [rows, width].
 *
 * @param from  element type of updates
 * @param type  element type of target: that of updates, or a narrower float to which they are rounded; F32 or I32 where
 *              rows are added
 * @param rows  of target
 * @param width elements of a row
 * @param count of indices
 */
public record ScatterRows(ElementType from, ElementType type, boolean add, int rows, int width, int count) implements Rowed {
    private Flat flat() {
        return new Flat((long) (add ? rows : count) * width);
    }

    /** A thread for each element: of the updates where they replace, of the target where they are added. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = flat().threads(add ? "scatter_add" : "scatter", limits);
        Reg indices = b.buffer("indices", Access.READ);
        Reg updates = b.buffer("updates", Access.READ);
        Reg target = b.buffer("target", add ? Access.READ_WRITE : Access.WRITE);
        Reg i = Flat.thread(b);
        b.when(flat().holds(b, i), () -> element(b, List.of(indices, updates, target), i));
        return b.build();
    }

    private void element(KernelBuilder b, List<Reg> params, Reg i) {
        boolean plain = !add && from == type;
        MemoryType read = plain ? Elements.bits(from.bytes()) : Elements.memory(from);
        MemoryType memory = plain ? read : Elements.memory(type);
        Reg row = b.div(i, width);
        Reg column = b.rem(i, width);
        if (add) {
            sum(b, memory, params, row, column);
        } else {
            Reg to = b.toU32(b.load(MemoryType.I32, params.get(0), row));
            b.when(b.lt(to, rows), () -> b.store(memory, b.advance(params.get(2), to, (long) width * type.bytes()), column,
                    b.load(read, params.get(1), i)));
        }
    }

    /** By its updates where they replace. */
    @Override
    public long items(int number) {
        return add ? 1 : count;
    }

    @Override
    public long threads(long items, DeviceLimits limits) {
        return add ? flat().count() : items * width;
    }

    @Override
    public void part(KernelBuilder b, List<Reg> params, Reg first, long items, String prefix) {
        Rowed.spread(b, add ? first : b.mul(first, width), add ? flat().count() : items * width, i -> element(b, params, i));
    }

    private void sum(KernelBuilder b, MemoryType memory, List<Reg> buffers, Reg row, Reg column) {
        Reg place = b.advance(buffers.get(2), row, (long) width * type.bytes());
        Reg sum = b.loop(b.u32(0), b.u32(count), 1, b.load(memory, place, column), (j, x) -> {
            Reg to = b.toU32(b.load(MemoryType.I32, buffers.get(0), j));
            return b.either(b.eq(to, row), () -> b.add(x, b.load(memory, buffers.get(1), b.mad(j, width, column))), () -> x);
        });
        b.store(memory, place, column, sum);
    }
}
