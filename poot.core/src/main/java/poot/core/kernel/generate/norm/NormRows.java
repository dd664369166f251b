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
 * A normalisation of rows, a workgroup each: {@code x / sqrt(mean(x²) + eps) · (w + offset)}, or with the mean taken off
 * first {@code (x - mean) / sqrt(mean((x - mean)²) + eps) · w + bias}. Sums are F32; their order depends on the width
 * alone.
 *
 * <p>Parameters: x [rows, width], w [width], bias [width] where there is one, out F32 [rows, width], rows.
 *
 * @param centred whether the mean is taken off
 * @param input how elements of x are stored, a float
 * @param weight how those of w and bias are, a float
 * @param aligned whether all memory begins at multiples of four elements
 */
public record NormRows(boolean centred, float eps, float offset, boolean biased, ElementType input, ElementType weight, int width,
        boolean aligned) implements Generator {
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
        Reg x = b.buffer("x", Access.READ);
        Reg w = b.buffer("w", Access.READ);
        Reg bias = biased ? b.buffer("bias", Access.READ) : null;
        Reg out = b.buffer("out", Access.WRITE);
        Reg rows = b.scalar("rows", ScalarType.U32);
        SharedArray partial = b.shared("partial", MemoryType.F32, b.subgroups());
        Reg row = Flat.workgroup(b);
        b.when(b.lt(row, rows), () -> {
            Reg from = b.advance(x, row, (long) width * input.bytes());
            Reg to = b.advance(out, row, 4L * width);
            Reg mean = centred ? b.mul(sum(b, partial, from, v -> v), 1f / width) : b.f32(0);
            if (centred) {
                b.barrier();
            }
            Function<Reg, Reg> centre = v -> centred ? b.sub(v, mean) : v;
            Reg squares = sum(b, partial, from, v -> b.mul(centre.apply(v), centre.apply(v)));
            Reg factor = b.div(b.f32(1), b.sqrt(b.add(b.mul(squares, 1f / width), b.f32(eps))));
            each(b, i -> {
                List<Reg> in = Elements.load(b, input, from, i, lanes());
                List<Reg> scale = Elements.load(b, weight, w, i, lanes());
                List<Reg> shift = biased ? Elements.load(b, weight, bias, i, lanes()) : List.of();
                List<Reg> y = new ArrayList<>();
                for (int k = 0; k < lanes(); k++) {
                    Reg s = offset == 0 ? scale.get(k) : b.add(scale.get(k), b.f32(offset));
                    Reg scaled = b.mul(b.mul(centre.apply(in.get(k)), factor), s);
                    y.add(biased ? b.add(scaled, shift.get(k)) : scaled);
                }
                b.store(MemoryType.F32, to, i, y);
            });
        });
        return b.build();
    }

    /** Threads take a row's elements by turns, from an index on. */
    private void each(KernelBuilder b, Consumer<Reg> body) {
        b.loop(b.mul(b.thread(), lanes()), b.u32(width), b.workgroupSize() * lanes(), body);
    }

    /** The sum of what is made of a row's elements, the same in all threads. */
    private Reg sum(KernelBuilder b, SharedArray partial, Reg from, Function<Reg, Reg> f) {
        Reg mine = b.loop(b.mul(b.thread(), lanes()), b.u32(width), b.workgroupSize() * lanes(), b.f32(0), (i, s) -> {
            Reg all = s;
            for (Reg v : Elements.load(b, input, from, i, lanes())) {
                all = b.add(all, f.apply(v));
            }
            return all;
        });
        Reg joined = b.reduce(ReduceOp.ADD, mine);
        if (b.subgroups() == 1) {
            return joined;
        }
        b.when(b.eq(b.lane(), 0), () -> b.store(partial, b.subgroup(), joined));
        b.barrier();
        Reg all = b.load(partial, b.u32(0));
        for (int i = 1; i < b.subgroups(); i++) {
            all = b.add(all, b.load(partial, b.u32(i)));
        }
        return all;
    }
}
