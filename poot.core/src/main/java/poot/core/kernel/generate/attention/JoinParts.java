package poot.core.kernel.generate.attention;

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
import poot.core.kernel.ir.ScalarType;

/**
 * Joins the parts of a cache that was attended to in parts, in rising order, a workgroup each query and head; parts that
 * the query does not reach are not read.
 *
 * <p>Parameters: positions I32 [R, T]; sums F32 [R, T, H, parts, Dv] and marks F32 [R, T, H, parts, 2] as
 * {@link AttendFew} or {@link AttendMany} left them; sinks F32 [H], only where there are any; result F32 [R, T, H, Dv];
 * blocks B, parts.
 *
 * @param spec of attention over a cache
 * @param part positions of a part
 */
public record JoinParts(AttentionSpec spec, int part) implements Generator {
    /** Over all tokens of all rows, and heads. */
    public Grid grid(int rows, int tokens) {
        return Grid.of(rows * tokens, spec.heads());
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder("join_parts_" + spec.label(), Flat.workgroup(spec.valueWidth(), limits), limits.subgroup());
        Reg positions = b.buffer("positions", Access.READ);
        Reg sums = b.buffer("sums", Access.READ);
        Reg marks = b.buffer("marks", Access.READ);
        Reg sinks = spec.sinks() ? b.buffer("sinks", Access.READ) : null;
        Reg result = b.buffer("result", Access.WRITE);
        Reg blocks = b.scalar("blocks", ScalarType.U32);
        Reg parts = b.scalar("parts", ScalarType.U32);
        AttentionSpec.Cached view = (AttentionSpec.Cached) spec.view();

        Reg position = b.load(MemoryType.I32, positions, b.workgroupX());
        Reg query = b.mad(b.workgroupX(), spec.heads(), b.workgroupY());
        Reg sees = b.ge(position, b.i32(0));
        Reg begin = b.select(sees, Inputs.firstSeen(b, view, position), b.i32(0));
        Reg end = b.select(sees, b.min(b.add(position, 1), b.toI32(b.mul(blocks, view.block()))), b.i32(0));
        Reg from = b.toU32(b.div(begin, part));
        Reg to = b.select(b.lt(begin, end), b.toU32(b.div(b.add(end, part - 1), part)), b.u32(0));
        Reg mine = b.advance(marks, b.mul(query, parts), 8);
        Reg top = b.loop(from, to, 1, b.f32(Inputs.LOWEST), (p, x) -> b.max(x, b.load(MemoryType.F32, mine, b.mul(p, 2))));
        Reg sink = sinks == null ? null : b.mul(b.load(MemoryType.F32, sinks, b.workgroupY()), Inputs.LOG2_E);
        Reg all = sink == null ? top : b.max(top, sink);
        Reg none = sink == null ? b.f32(0) : b.exp2(b.sub(sink, all));
        b.loop(b.thread(), b.u32(spec.valueWidth()), b.workgroupSize(), feature -> {
            List<Reg> found = b.loop(from, to, 1, List.of(none, b.f32(0)), (p, x) -> {
                List<Reg> mark = b.load(MemoryType.F32, mine, b.mul(p, 2), 2);
                Reg factor = b.exp2(b.sub(mark.get(0), all));
                Reg part = b.load(MemoryType.F32, b.advance(sums, b.mad(query, parts, p), 4L * spec.valueWidth()), feature);
                return List.of(b.fma(mark.get(1), factor, x.get(0)), b.fma(part, factor, x.get(1)));
            });
            Reg total = b.select(b.gt(found.get(0), b.f32(0)), found.get(0), b.f32(1));
            b.store(MemoryType.F32, b.advance(result, query, 4L * spec.valueWidth()), feature, b.div(found.get(1), total));
        });
        return b.build();
    }
}
