package poot.core.kernel.generate.move;

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

/**
 * {@code out[r, j] = data[r, indices[r, j]]}, zero where the index is none of the row's. Parameters: data [rows, n],
 * indices I32 [rows, k], out [rows, k].
 *
 * @param bytes of an element
 */
public record TakeAlong(int bytes, int rows, int n, int k) implements Generator {
    private Flat flat() {
        return new Flat((long) rows * k);
    }

    /** A thread for each element of the result. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        MemoryType type = Elements.bits(bytes);
        KernelBuilder b = flat().threads("take_along", limits);
        Reg data = b.buffer("data", Access.READ);
        Reg indices = b.buffer("indices", Access.READ);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = Flat.thread(b);
        b.when(flat().holds(b, i), () -> {
            Reg at = b.toU32(b.load(MemoryType.I32, indices, i));
            Reg value = b.either(b.lt(at, n),
                    () -> b.load(type, b.advance(data, b.div(i, k), (long) n * bytes), at), () -> b.u32(0));
            b.store(type, out, i, value);
        });
        return b.build();
    }
}
