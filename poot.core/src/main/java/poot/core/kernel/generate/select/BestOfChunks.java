package poot.core.kernel.generate.select;

import java.util.List;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/**
 * The place of the first best element of each chunk of each line, a workgroup each chunk.
 *
 * <p>Parameters: x [outer, n, inner]; unless {@code first} the candidates' places, I32 [lines, count], rising; places I32
 * [lines, chunks]; lines.
 *
 * @param count things of a line: elements where {@code first}, else candidates
 */
record BestOfChunks(Best of, int count, boolean first) implements Generator {
    /** Things of a chunk. */
    static final int CHUNK = 4096;

    int chunks() {
        return (count + CHUNK - 1) / CHUNK;
    }

    Grid grid(DeviceLimits limits) {
        Grid flat = new Flat(of.lines()).workgroupGrid(limits);
        return new Grid(flat.x(), flat.y(), chunks());
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder("best", Flat.workgroup(Math.min(count, CHUNK), limits), limits.subgroup());
        Reg x = b.buffer("x", Access.READ);
        Reg from = first ? null : b.buffer("from", Access.READ);
        Reg places = b.buffer("places", Access.WRITE);
        Reg lines = b.scalar("lines", ScalarType.U32);
        SharedArray shared = b.shared("shared", MemoryType.U32, b.subgroups());
        Reg line = Flat.workgroup(b);
        b.when(b.lt(line, lines), () -> {
            Reg row = b.advance(x, b.div(line, of.inner()), (long) of.n() * of.inner() * of.element().bytes());
            Reg inside = b.rem(line, of.inner());
            Reg begin = b.mul(b.workgroupZ(), CHUNK);
            Reg end = b.min(b.add(begin, CHUNK), b.u32(count));
            List<Reg> mine = b.loop(b.add(begin, b.thread()), end, b.u32(b.workgroupSize()), List.of(b.u32(Ranks.LAST), b.u32(-1)), (i, best) -> {
                Reg place = first ? i : b.load(MemoryType.U32, from, b.mad(line, count, i));
                Reg at = b.mad(place, of.inner(), inside);
                Reg rank = of.largest() ? Ranks.load(b, of.element(), row, at) : Ranks.loadFalling(b, of.element(), row, at);
                Reg better = b.or(b.gt(rank, best.get(0)), b.eq(best.get(1), -1));
                return List.of(b.select(better, rank, best.get(0)), b.select(better, place, best.get(1)));
            });
            Reg top = all(b, shared, ReduceOp.MAX, mine.get(0));
            b.barrier();
            Reg place = all(b, shared, ReduceOp.MIN, b.select(b.eq(mine.get(0), top), mine.get(1), b.u32(-1)));
            b.when(b.eq(b.thread(), 0), () -> b.store(MemoryType.U32, places, b.mad(line, chunks(), b.workgroupZ()), place));
        });
        return b.build();
    }

    /** All threads' values joined, the same in all. */
    private static Reg all(KernelBuilder b, SharedArray shared, ReduceOp op, Reg mine) {
        Reg joined = b.reduce(op, mine);
        b.when(b.eq(b.lane(), 0), () -> b.store(shared, b.subgroup(), joined));
        b.barrier();
        return b.loop(b.u32(0), b.u32(b.subgroups()), 1, joined, (i, all) -> {
            Reg other = b.load(shared, i);
            return op == ReduceOp.MAX ? b.max(all, other) : b.min(all, other);
        });
    }
}
