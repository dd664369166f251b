package poot.core.kernel.generate.move;

import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;

/**
 * {@code out[o, i, k] = i}. Parameter: out, I32 [outer, n, inner].
 *
 * @param outer extents before the axis that counts
 * @param n     its extent
 * @param inner extents after it
 */
public record Counting(long outer, int n, int inner) implements Generator {
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
        b.when(flat().holds(b, i), () -> b.store(MemoryType.I32, out, i, b.toI32(b.rem(b.div(i, inner), n))));
        return b.build();
    }
}
