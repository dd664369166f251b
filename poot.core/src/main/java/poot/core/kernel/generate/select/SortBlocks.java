package poot.core.kernel.generate.select;

import poot.api.graph.ElementType;
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
 * The parts of a sorting network over whole lines that a workgroup does alone, of 2048 things.
 *
 * <p>Parameters: where {@code first} x [lines, width], whose elements become things and are sorted in runs that go forwards
 * and backwards by turns; then ranks and places, U32 [lines, padded]; lines; unless {@code first} the length of the runs
 * that are merged, of which exchanges over 2048 and more are done.
 *
 * @param element of x
 * @param width elements of a line
 * @param padded things of a line, a power of two of at least 2048
 */
record SortBlocks(ElementType element, int width, int padded, boolean first) implements Generator {
    Grid grid(DeviceLimits limits, int lines) {
        Grid flat = new Flat(lines).workgroupGrid(limits);
        return new Grid(flat.x(), flat.y(), padded / SharedSort.MOST);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        int size = SharedSort.MOST;
        KernelBuilder b = new KernelBuilder(first ? "sort_blocks" : "merge_blocks", Flat.workgroup(size / 2, limits), limits.subgroup());
        Reg x = first ? b.buffer("x", Access.READ) : null;
        Reg ranks = b.buffer("ranks", first ? Access.WRITE : Access.READ_WRITE);
        Reg places = b.buffer("places", first ? Access.WRITE : Access.READ_WRITE);
        Reg lines = b.scalar("lines", ScalarType.U32);
        Reg run = first ? null : b.scalar("run", ScalarType.U32);
        SharedSort sort = new SharedSort(b, size);
        Reg line = Flat.workgroup(b);
        Reg base = b.mul(b.workgroupZ(), size);
        b.when(b.lt(line, lines), () -> {
            Reg own = b.mad(line, padded, base);
            if (first) {
                Reg row = b.advance(x, line, (long) width * element.bytes());
                SharedSort.each(b, size, i -> {
                    Reg thing = b.add(base, i);
                    b.when(b.lt(thing, b.u32(width)), () -> sort.put(i, Ranks.load(b, element, row, thing), thing),
                            () -> sort.put(i, b.u32(Ranks.LAST), b.u32(-1)));
                });
                sort.sort(base);
            } else {
                SharedSort.each(b, size, i -> {
                    Reg at = b.add(own, i);
                    sort.put(i, b.load(MemoryType.U32, ranks, at), b.load(MemoryType.U32, places, at));
                });
                sort.merge(base, run);
            }
            SharedSort.each(b, size, i -> {
                Reg at = b.add(own, i);
                b.store(MemoryType.U32, ranks, at, sort.rank(i));
                b.store(MemoryType.U32, places, at, sort.place(i));
            });
        });
        return b.build();
    }
}
