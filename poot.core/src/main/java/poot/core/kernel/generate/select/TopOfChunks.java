package poot.core.kernel.generate.select;

import poot.api.graph.ElementType;
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
import poot.core.kernel.ir.ScalarType;

/**
 * The first of each chunk of each line, in falling order, equal ones by rising place: a workgroup sorts a chunk.
 *
 * <p>Parameters: x [lines, width]; unless {@code first} the candidates' ranks and places, U32 [lines, count]; then where
 * {@code last} values [lines, keep] and places I32 [lines, keep], else ranks and places U32 [lines, chunks · keep]; lines.
 *
 * @param element of x
 * @param width elements of a line
 * @param count things of a line: elements where {@code first}, else candidates
 * @param chunk things of a chunk, a power of two of at most 2048
 * @param keep how many of a chunk are kept, at most {@code chunk}
 */
record TopOfChunks(ElementType element, int width, int count, int chunk, int keep, boolean first, boolean last) implements Generator {
    int chunks() {
        return (count + chunk - 1) / chunk;
    }

    Grid grid(DeviceLimits limits, int lines) {
        Grid flat = new Flat(lines).workgroupGrid(limits);
        return new Grid(flat.x(), flat.y(), chunks());
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder("top_" + keep + "_of_" + chunk, Flat.workgroup(chunk / 2, limits), limits.subgroup());
        Reg x = b.buffer("x", Access.READ);
        Reg fromRanks = first ? null : b.buffer("from_ranks", Access.READ);
        Reg fromPlaces = first ? null : b.buffer("from_places", Access.READ);
        Reg to = b.buffer(last ? "values" : "ranks", Access.WRITE);
        Reg toPlaces = b.buffer("places", Access.WRITE);
        Reg lines = b.scalar("lines", ScalarType.U32);
        SharedSort sort = new SharedSort(b, chunk);
        Reg line = Flat.workgroup(b);
        b.when(b.lt(line, lines), () -> {
            Reg row = b.advance(x, line, (long) width * element.bytes());
            SharedSort.each(b, chunk, i -> {
                Reg thing = b.mad(b.workgroupZ(), chunk, i);
                b.when(b.lt(thing, b.u32(count)), () -> {
                    if (first) {
                        sort.put(i, Ranks.load(b, element, row, thing), thing);
                    } else {
                        Reg at = b.mad(line, count, thing);
                        sort.put(i, b.load(MemoryType.U32, fromRanks, at), b.load(MemoryType.U32, fromPlaces, at));
                    }
                }, () -> sort.put(i, b.u32(Ranks.LAST), b.u32(-1)));
            });
            sort.sort(b.u32(0));
            SharedSort.each(b, keep, i -> {
                Reg at = b.mad(b.mad(line, chunks(), b.workgroupZ()), keep, i);
                if (last) {
                    take(b, element, row, sort.place(i), to, toPlaces, at);
                } else {
                    b.store(MemoryType.U32, to, at, sort.rank(i));
                    b.store(MemoryType.U32, toPlaces, at, sort.place(i));
                }
            });
        });
        return b.build();
    }

    /** Copies the element at a place of a row, and writes its place. */
    static void take(KernelBuilder b, ElementType element, Reg row, Reg place, Reg values, Reg places, Reg at) {
        MemoryType bits = Elements.bits(element.bytes());
        b.store(bits, values, at, b.load(bits, row, place));
        b.store(MemoryType.U32, places, at, place);
    }
}
