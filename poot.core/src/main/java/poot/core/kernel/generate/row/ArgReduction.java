package poot.core.kernel.generate.row;

import java.util.List;
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
import poot.core.kernel.ir.SharedArray;

/**
 * {@code out[o, k]} = the first i where x[o, i, k] is largest or smallest; NaN never is, unless there is nothing else.
 * Parameters: x [outer, n, inner], out I32 [outer, inner]. A workgroup for each line.
 *
 * @param type F32 or I32
 */
public record ArgReduction(boolean largest, ElementType type, Extents at) implements Generator {
    /** A workgroup for each line. */
    public Grid grid(DeviceLimits limits) {
        return new Flat(at.lines()).workgroupGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        MemoryType memory = Elements.memory(type);
        KernelBuilder b = new KernelBuilder("arg_reduce", Flat.workgroup(at.n(), limits), limits.subgroup());
        Reg x = b.buffer("x", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        SharedArray values = b.shared("values", memory, b.subgroups());
        SharedArray places = b.shared("places", MemoryType.U32, b.subgroups());
        Reg line = Flat.workgroup(b);
        b.when(new Flat(at.lines()).holds(b, line), () -> {
            Reg first = b.mad(b.div(line, at.inner()), at.n() * at.inner(), b.rem(line, at.inner()));
            List<Reg> mine = b.loop(b.thread(), b.u32(at.n()), b.u32(b.workgroupSize()), nothing(b),
                    (i, best) -> better(b, best, List.of(b.load(memory, x, b.mad(i, at.inner(), first)), i)));
            for (int mask = 1; mask < b.subgroupSize(); mask *= 2) {
                mine = better(b, mine, List.of(b.shuffleXor(mine.get(0), mask), b.shuffleXor(mine.get(1), mask)));
            }
            List<Reg> all = mine;
            if (b.subgroups() > 1) {
                List<Reg> lanes = mine;
                b.when(b.eq(b.lane(), 0), () -> {
                    b.store(values, b.subgroup(), lanes.get(0));
                    b.store(places, b.subgroup(), lanes.get(1));
                });
                b.barrier();
                all = b.loop(b.u32(0), b.u32(b.subgroups()), b.u32(1), nothing(b),
                        (i, best) -> better(b, best, List.of(b.load(values, i), b.load(places, i))));
            }
            Reg place = all.get(1);
            b.when(b.eq(b.thread(), 0), () -> b.store(MemoryType.I32, out, line, b.toI32(place)));
        });
        return b.build();
    }

    /** Worse than any element: no number, at no place. */
    private List<Reg> nothing(KernelBuilder b) {
        return List.of(type == ElementType.F32 ? b.f32(Float.NaN) : b.i32(largest ? Integer.MIN_VALUE : Integer.MAX_VALUE), b.u32(-1));
    }

    /** The better of two, the earlier where they are equal or both no number; in any order the same of several. */
    private List<Reg> better(KernelBuilder b, List<Reg> p, List<Reg> q) {
        Reg x = p.get(0);
        Reg y = q.get(0);
        Reg beats = largest ? b.gt(y, x) : b.lt(y, x);
        Reg ties = b.eq(x, y);
        if (x.type() == ScalarType.F32) {
            Reg none = b.ne(x, x);
            beats = b.or(beats, b.and(none, b.eq(y, y)));
            ties = b.or(ties, b.and(none, b.ne(y, y)));
        }
        Reg takes = b.or(beats, b.and(ties, b.lt(q.get(1), p.get(1))));
        return List.of(b.select(takes, y, x), b.select(takes, q.get(1), p.get(1)));
    }
}
