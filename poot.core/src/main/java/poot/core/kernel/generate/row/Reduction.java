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
import poot.core.kernel.ir.SharedArray;

/**
 * {@code out[o, k] = fold over i of x[o, i, k]}, accumulated in the element type. Parameters: x [outer, n, inner], out
 * [outer, inner].
 *
 * <p>Lines whose elements stand side by side have a workgroup each: every thread folds each w-th element in turn, lanes
 * are joined, then subgroups; a sum's order depends on n and the workgroup alone. Other lines have a thread each.
 *
 * @param type F32 or I32
 */
public record Reduction(ReduceKind kind, ElementType type, Extents at) implements Generator {
    private boolean together() {
        return at.inner() == 1 && at.n() > 4;
    }

    /** A workgroup or a thread for each line. */
    public Grid grid(DeviceLimits limits) {
        Flat lines = new Flat(at.lines());
        return together() ? lines.workgroupGrid(limits) : lines.threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        return together() ? byWorkgroup(limits) : byThread(limits);
    }

    private DeviceKernel byThread(DeviceLimits limits) {
        Flat lines = new Flat(at.lines());
        Fold fold = new Fold(kind, type);
        MemoryType memory = Elements.memory(type);
        KernelBuilder b = lines.threads("reduce_lines", limits);
        Reg x = b.buffer("x", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg line = Flat.thread(b);
        b.when(lines.holds(b, line), () -> {
            Reg first = b.mad(b.div(line, at.inner()), at.n() * at.inner(), b.rem(line, at.inner()));
            Reg all = b.loop(b.u32(0), b.u32(at.n()), 1, fold.start(b),
                    (i, sum) -> fold.join(b, sum, b.load(memory, x, b.mad(i, at.inner(), first))));
            b.store(memory, out, line, all);
        });
        return b.build();
    }

    private DeviceKernel byWorkgroup(DeviceLimits limits) {
        Flat lines = new Flat(at.lines());
        Fold fold = new Fold(kind, type);
        MemoryType memory = Elements.memory(type);
        KernelBuilder b = new KernelBuilder("reduce_rows", Flat.workgroup(at.n(), limits), limits.subgroup());
        Reg x = b.buffer("x", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        SharedArray parts = b.shared("parts", memory, b.subgroups());
        Reg line = Flat.workgroup(b);
        b.when(lines.holds(b, line), () -> {
            Reg row = b.advance(x, line, (long) at.n() * memory.bytes());
            Reg mine = b.loop(b.thread(), b.u32(at.n()), b.workgroupSize(), fold.start(b),
                    (i, sum) -> fold.join(b, sum, b.load(memory, row, i)));
            Reg all = acrossWorkgroup(b, fold, parts, mine);
            b.when(b.eq(b.thread(), 0), () -> b.store(memory, out, line, all));
        });
        return b.build();
    }

    /** Every thread's value joined, the same in each thread of the first subgroup; in flow uniform in the workgroup. */
    private static Reg acrossWorkgroup(KernelBuilder b, Fold fold, SharedArray parts, Reg mine) {
        Reg lanes = fold.lanes(b, mine);
        if (b.subgroups() == 1) {
            return lanes;
        }
        b.when(b.eq(b.lane(), 0), () -> b.store(parts, b.subgroup(), lanes));
        b.barrier();
        return b.loop(b.u32(0), b.u32(b.subgroups()), 1, fold.start(b), (i, sum) -> fold.join(b, sum, b.load(parts, i)));
    }
}
