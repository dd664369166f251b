package poot.core.kernel.generate.row;

import poot.api.graph.ElementType;
import poot.api.graph.Op.ReduceKind;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * {@code out[o, i, k] = fold over j <= i of x[o, j, k]}, exclusive: over j < i; in order. Parameters: x and out
 * [outer, n, inner]. A thread for each line.
 *
 * @param type F32 or I32
 */
public record PrefixSum(ReduceKind kind, boolean exclusive, ElementType type, Extents at) implements Generator {
    private Flat flat() {
        return new Flat(at.lines());
    }

    /** A thread for each line. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        Fold fold = new Fold(kind, type);
        MemoryType memory = Elements.memory(type);
        KernelBuilder b = flat().threads("prefix", limits);
        Reg x = b.buffer("x", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg line = Flat.thread(b);
        b.when(flat().holds(b, line), () -> {
            Reg first = b.mad(b.div(line, at.inner()), at.n() * at.inner(), b.rem(line, at.inner()));
            b.loop(b.u32(0), b.u32(at.n()), 1, fold.start(b), (i, sum) -> {
                Reg place = b.mad(i, at.inner(), first);
                Reg next = fold.join(b, sum, b.load(memory, x, place));
                b.store(memory, out, place, exclusive ? sum : next);
                return next;
            });
        });
        return b.build();
    }
}
