package poot.core.kernel.generate.select;

import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * One exchange of a sorting network over whole lines, a thread for each pair.
 *
 * <p>Parameters: ranks and places, U32 [lines, padded]; lines; the length of the runs that are merged; how far apart the
 * things of a pair are.
 *
 * @param padded things of a line, a power of two
 */
record SortStep(int padded) implements Generator {
    Grid grid(DeviceLimits limits, int lines) {
        return new Flat((long) lines * (padded / 2)).threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder("sort_step", Flat.workgroup(padded / 2, limits), limits.subgroup());
        Reg ranks = b.buffer("ranks", Access.READ_WRITE);
        Reg places = b.buffer("places", Access.READ_WRITE);
        Reg lines = b.scalar("lines", ScalarType.U32);
        Reg run = b.scalar("run", ScalarType.U32);
        Reg stride = b.scalar("stride", ScalarType.U32);
        Reg p = Flat.thread(b);
        b.when(b.lt(p, b.mul(lines, padded / 2)), () -> {
            Reg i = SharedSort.first(b, p, stride); // of all lines, since each is a power of two
            Reg j = b.add(i, stride);
            Reg rank = b.load(MemoryType.U32, ranks, i);
            Reg place = b.load(MemoryType.U32, places, i);
            Reg otherRank = b.load(MemoryType.U32, ranks, j);
            Reg otherPlace = b.load(MemoryType.U32, places, j);
            Reg inLine = b.and(i, padded - 1);
            b.when(SharedSort.swaps(b, inLine, run, rank, place, otherRank, otherPlace), () -> {
                b.store(MemoryType.U32, ranks, i, otherRank);
                b.store(MemoryType.U32, places, i, otherPlace);
                b.store(MemoryType.U32, ranks, j, rank);
                b.store(MemoryType.U32, places, j, place);
            });
        });
        return b.build();
    }
}
