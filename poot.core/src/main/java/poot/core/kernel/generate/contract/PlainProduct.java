package poot.core.kernel.generate.contract;

import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Elements;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * {@code out[.., i, j] = sum over l of a[.., i, l] * b[.., j, l]}, of b [.., l, j] where it is not transposed; summed in
 * F32 in the order of l, a thread for each element. Parameters: a, b, out F32 [batches, m, n], all dense.
 *
 * @param a       element type of a: a float
 * @param b       element type of b: a float
 * @param batches operand 0 is a, operand 1 is b; visits their leading axes, in matrices
 */
public record PlainProduct(ElementType a, ElementType b, boolean transposed, Strided batches, int m, int n, int k) implements Generator {
    private Flat flat() {
        return new Flat(batches.count() * m * n);
    }

    /** A thread for each element of the result. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        MemoryType left = Elements.memory(a);
        MemoryType right = Elements.memory(b);
        KernelBuilder w = flat().threads("plain_product", limits);
        Reg x = w.buffer("a", Access.READ);
        Reg y = w.buffer("b", Access.READ);
        Reg out = w.buffer("out", Access.WRITE);
        Reg i = Flat.thread(w);
        w.when(flat().holds(w, i), () -> {
            Reg column = w.rem(i, n);
            Reg row = w.rem(w.div(i, n), m);
            List<Reg> matrix = batches.indices(w, w.div(i, m * n));
            Reg xs = w.advance(w.advance(x, matrix.get(0), (long) m * k * left.bytes()), row, (long) k * left.bytes());
            Reg ys = w.advance(w.advance(y, matrix.get(1), (long) n * k * right.bytes()), column,
                    (transposed ? (long) k : 1) * right.bytes());
            Reg sum = w.loop(w.u32(0), w.u32(k), 1, w.f32(0), (l, s) ->
                    w.fma(w.load(left, xs, l), w.load(right, ys, transposed ? l : w.mul(l, n)), s));
            w.store(MemoryType.F32, out, i, sum);
        });
        return w.build();
    }
}
