package poot.core.kernel.generate.norm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import poot.api.graph.Composite;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Rowed;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ReduceOp;
import poot.core.kernel.ir.ScalarType;
import poot.core.kernel.ir.SharedArray;

/**
 * A normalisation of rows, each by as many subgroups as its width asks for: {@code x / sqrt(mean(x²) + eps) · (w + offset)},
 * or with the mean taken off first {@code (x - mean) / sqrt(mean((x - mean)²) + eps) · w + bias}. Sums are F32; their order
 * depends on the width alone.
 *
 * <p>Parameters: x [rows, width], w [width], bias [width] where there is one, out F32 [rows, width], rows.
 *
 * @param centred whether the mean is taken off
 * @param input how elements of x are stored, a float
 * @param weight how those of w and bias are, a float
 * @param aligned whether all memory begins at multiples of four elements
 */
public record NormRows(boolean centred, float eps, float offset, boolean biased, ElementType input, ElementType weight, int width,
        boolean aligned) implements Rowed {
    /** Root mean square normalisation. */
    public static NormRows of(Composite.RmsNorm n, ElementType input, ElementType weight, int width, boolean aligned) {
        return new NormRows(false, n.eps(), n.offset(), false, input, weight, width, aligned);
    }

    /** Layer normalisation. */
    public static NormRows of(Composite.LayerNorm n, ElementType input, ElementType weight, int width, boolean aligned) {
        return new NormRows(true, n.eps(), 0, n.biased(), input, weight, width, aligned);
    }

    /** A workgroup for each row. */
    public Grid grid(DeviceLimits limits, int rows) {
        return new Flat(rows).workgroupGrid(limits);
    }

    private int lanes() {
        return aligned && width % 4 == 0 ? 4 : 1;
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder(centred ? "layer_norm" : "rms_norm", Flat.workgroup(width / lanes(), limits), limits.subgroup());
        List<Reg> params = new ArrayList<>(List.of(b.buffer("x", Access.READ), b.buffer("w", Access.READ)));
        if (biased) {
            params.add(b.buffer("bias", Access.READ));
        }
        params.add(b.buffer("out", Access.WRITE));
        params.add(b.scalar("rows", ScalarType.U32));
        SharedArray partial = b.shared("partial", MemoryType.F32, b.subgroups());
        Reg row = Flat.workgroup(b);
        b.when(b.lt(row, params.getLast()), () -> new Team(b, params, partial, b.subgroups()).line(row, b.bool(true)));
        return b.build();
    }

    @Override
    public long items(int count) {
        return count;
    }

    @Override
    public long threads(long items, DeviceLimits limits) {
        return items * Flat.workgroup(width / lanes(), limits);
    }

    @Override
    public void part(KernelBuilder b, List<Reg> params, Reg first, long items, String prefix) {
        int most = Math.max(1, Flat.WORKGROUP / b.subgroupSize());
        int subgroups = Math.min(Math.min(most, b.subgroups()), Math.ceilDiv(width / lanes(), b.subgroupSize()));
        int teams = b.subgroups() / subgroups;
        SharedArray partial = b.shared(prefix + "partial", MemoryType.F32, b.subgroups());
        Team team = new Team(b, params, partial, subgroups);
        Reg own = b.div(b.subgroup(), subgroups);
        b.loop(b.u32(0), b.u32((int) items), teams, from -> {
            if (subgroups > 1) {
                b.barrier(); // before the sums of other rows are overwritten
            }
            Reg line = b.add(from, own);
            team.line(b.add(first, b.min(line, b.u32((int) items - 1))), b.and(b.lt(own, teams), b.lt(line, (int) items)));
        });
    }

    /** As many subgroups of a workgroup as have a row together. */
    private final class Team {
        private final KernelBuilder b;
        private final List<Reg> params;
        private final SharedArray partial;
        private final int subgroups;
        private final Reg first; // subgroup
        private final Reg thread; // of the team

        Team(KernelBuilder b, List<Reg> params, SharedArray partial, int subgroups) {
            this.b = b;
            this.params = params;
            this.partial = partial;
            this.subgroups = subgroups;
            boolean all = subgroups == b.subgroups();
            first = all ? b.u32(0) : b.mul(b.min(b.div(b.subgroup(), subgroups), b.u32(b.subgroups() / subgroups - 1)), subgroups);
            thread = all ? b.thread() : b.sub(b.thread(), b.mul(first, b.subgroupSize()));
        }

        /** Normalises a row, in flow uniform in the workgroup; it is written where {@code written} says. */
        void line(Reg row, Reg written) {
            Reg from = b.advance(params.get(0), row, (long) width * input.bytes());
            Reg to = b.advance(params.get(biased ? 3 : 2), row, 4L * width);
            Reg mean = centred ? b.mul(sum(from, v -> v), 1f / width) : b.f32(0);
            if (centred && subgroups > 1) {
                b.barrier();
            }
            Function<Reg, Reg> centre = v -> centred ? b.sub(v, mean) : v;
            Reg squares = sum(from, v -> b.mul(centre.apply(v), centre.apply(v)));
            Reg factor = b.div(b.f32(1), b.sqrt(b.add(b.mul(squares, 1f / width), b.f32(eps))));
            b.when(written, () -> each(i -> {
                List<Reg> in = Elements.load(b, input, from, i, lanes());
                List<Reg> scale = Elements.load(b, weight, params.get(1), i, lanes());
                List<Reg> shift = biased ? Elements.load(b, weight, params.get(2), i, lanes()) : List.of();
                List<Reg> y = new ArrayList<>();
                for (int k = 0; k < lanes(); k++) {
                    Reg s = offset == 0 ? scale.get(k) : b.add(scale.get(k), b.f32(offset));
                    Reg scaled = b.mul(b.mul(centre.apply(in.get(k)), factor), s);
                    y.add(biased ? b.add(scaled, shift.get(k)) : scaled);
                }
                b.store(MemoryType.F32, to, i, y);
            }));
        }

        private int stride() {
            return subgroups * b.subgroupSize() * lanes();
        }

        /** Threads take a row's elements by turns, from an index on. */
        private void each(Consumer<Reg> body) {
            b.loop(b.mul(thread, lanes()), b.u32(width), stride(), body);
        }

        /** The sum of what is made of a row's elements, the same in all threads. */
        private Reg sum(Reg from, Function<Reg, Reg> f) {
            Reg mine = b.loop(b.mul(thread, lanes()), b.u32(width), stride(), b.f32(0), (i, s) -> {
                Reg all = s;
                for (Reg v : Elements.load(b, input, from, i, lanes())) {
                    all = b.add(all, f.apply(v));
                }
                return all;
            });
            Reg joined = b.reduce(ReduceOp.ADD, mine);
            if (subgroups == 1) {
                return joined;
            }
            b.when(b.eq(b.lane(), 0), () -> b.store(partial, b.subgroup(), joined));
            b.barrier();
            Reg all = b.load(partial, first);
            for (int i = 1; i < subgroups; i++) {
                all = b.add(all, b.load(partial, b.add(first, i)));
            }
            return all;
        }
    }
}
