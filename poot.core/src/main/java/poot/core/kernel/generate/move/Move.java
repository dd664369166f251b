package poot.core.kernel.generate.move;

import java.util.Collections;
import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Rowed;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * Copies elements between two layouts, bit for bit where they have one type. Parameters: from, to; each begins at its first element visited.
 *
 * @param from  element type read
 * @param to    element type written: the same, or F32 of narrower floats
 * @param at    operand 0 is read, operand 1 written
 * @param lanes 4 where {@link Strided#lanes} says so, operand 1 is no splat and all memory begins at multiples of four
 *              elements; else 1
 */
public record Move(ElementType from, ElementType to, Strided at, int lanes) implements Rowed {
    private Flat flat() {
        return new Flat(at.count() / lanes);
    }

    /** A thread for each 1 or 4 elements. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = flat().threads("move", limits);
        Reg source = b.buffer("from", Access.READ);
        Reg target = b.buffer("to", Access.WRITE);
        Reg thread = Flat.thread(b);
        b.when(flat().holds(b, thread), () -> some(b, source, target, thread));
        return b.build();
    }

    private void some(KernelBuilder b, Reg source, Reg target, Reg thread) {
        MemoryType read = from == to ? Elements.bits(from.bytes()) : Elements.memory(from);
        MemoryType write = from == to ? read : Elements.memory(to);
        List<Reg> index = at.indices(b, b.mul(thread, lanes));
        boolean splat = at.splat(0) && lanes > 1;
        List<Reg> loaded = b.load(read, source, index.get(0), splat ? 1 : lanes);
        b.store(write, target, index.get(1), splat ? Collections.nCopies(lanes, loaded.getFirst()) : loaded);
    }

    @Override
    public long items(int count) {
        return at.count() / lanes;
    }

    @Override
    public long threads(long items, DeviceLimits limits) {
        return items;
    }

    @Override
    public void part(KernelBuilder b, List<Reg> params, Reg first, long items, String prefix) {
        Rowed.spread(b, first, items, i -> some(b, params.get(0), params.get(1), i));
    }
}
