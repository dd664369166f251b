package poot.core.kernel.generate.move;

import java.util.List;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Rowed;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * {@code out[o, i, k] = i}. Parameter: out, I32 [outer, n, inner].
 *
 * @param outer extents before the axis that counts
 * @param n     its extent
 * @param inner extents after it
 */
public record Counting(long outer, int n, int inner) implements Rowed {
    private Flat flat() {
        return new Flat(outer * n * inner);
    }

    /** A thread for each element. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = flat().threads("counting", limits);
        var out = b.buffer("out", Access.WRITE);
        var i = Flat.thread(b);
        b.when(flat().holds(b, i), () -> element(b, out, i));
        return b.build();
    }

    private void element(KernelBuilder b, Reg out, Reg i) {
        b.store(MemoryType.I32, out, i, b.toI32(b.rem(b.div(i, inner), n)));
    }

    @Override
    public long items(int count) {
        return flat().count();
    }

    @Override
    public long threads(long items, DeviceLimits limits) {
        return items;
    }

    @Override
    public void part(KernelBuilder b, List<Reg> params, Reg first, long items, String prefix) {
        Rowed.spread(b, first, items, i -> element(b, params.getFirst(), i));
    }
}
