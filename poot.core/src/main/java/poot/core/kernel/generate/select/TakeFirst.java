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
 * The first of lines whose places are in order.
 *
 * <p>Parameters: x [lines, width]; places U32 [lines, padded]; values [lines, keep]; places I32 [lines, keep]; lines.
 *
 * @param element of x
 */
record TakeFirst(ElementType element, int width, int padded, int keep) implements Generator {
    Grid grid(DeviceLimits limits, int lines) {
        Grid flat = new Flat(lines).workgroupGrid(limits);
        int threads = Flat.workgroup(keep, limits);
        return new Grid(flat.x(), flat.y(), (keep + threads - 1) / threads);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = new KernelBuilder("take_first", Flat.workgroup(keep, limits), limits.subgroup());
        Reg x = b.buffer("x", Access.READ);
        Reg from = b.buffer("from", Access.READ);
        Reg values = b.buffer("values", Access.WRITE);
        Reg places = b.buffer("places", Access.WRITE);
        Reg lines = b.scalar("lines", ScalarType.U32);
        Reg line = Flat.workgroup(b);
        Reg i = b.mad(b.workgroupZ(), b.workgroupSize(), b.thread());
        b.when(b.and(b.lt(line, lines), b.lt(i, b.u32(keep))), () -> {
            Reg place = b.load(MemoryType.U32, from, b.mad(line, padded, i));
            TopOfChunks.take(b, element, b.advance(x, line, (long) width * element.bytes()), place, values, places, b.mad(line, keep, i));
        });
        return b.build();
    }
}
