package poot.core.kernel.generate.product;

import java.util.Collections;
import java.util.List;
import poot.api.graph.ElementType;
import poot.core.kernel.decode.Floats;
import poot.core.kernel.decode.WeightDecoder;
import poot.core.kernel.decode.WeightView;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Flat;
import poot.core.kernel.generate.Generator;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.DeviceKernel;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * {@code out[i] = weight[indices[i]]}, row by row as its format defines it, zeros where the index is none of the weight's
 * rows; without indices {@code out[i] = weight[i]}. A thread for each run. Parameters: the sources of the weight; indices I32
 * [count], where there are; out [count, columns].
 *
 * @param weight which rows, of [rows, columns]
 * @param to element type of out: a float
 * @param indexed whether there are indices
 * @param count rows of out; without indices at most the weight's
 */
public record DecodeRows(WeightView weight, ElementType to, boolean indexed, int count) implements Generator {
    private Flat flat() {
        return new Flat((long) count * runs());
    }

    private int runs() {
        return weight.columns() / weight.decoder().length();
    }

    /** A thread for each run. */
    public Grid grid(DeviceLimits limits) {
        return flat().threadGrid(limits);
    }

    @Override
    public DeviceKernel kernel(DeviceLimits limits) {
        KernelBuilder b = flat().threads("decode_rows", limits);
        WeightDecoder decoder = weight.decoder();
        List<Reg> sources = decoder.declare(b, "weight");
        Reg indices = indexed ? b.buffer("indices", Access.READ) : b.u32(0);
        Reg out = b.buffer("out", Access.WRITE);
        Reg i = Flat.thread(b);
        b.when(flat().holds(b, i), () -> {
            Reg at = b.div(i, runs());
            Reg run = b.rem(i, runs());
            Reg row = indexed ? b.toU32(b.load(MemoryType.I32, indices, at)) : at;
            List<Reg> values = b.choose(b.lt(row, weight.rows()),
                    () -> decoder.row(b, sources, b.add(row, weight.firstRow())).run(run).values(b),
                    () -> Collections.nCopies(decoder.length(), b.f32(0)));
            store(b, b.advance(out, at, (long) weight.columns() * to.bytes()), b.mul(run, decoder.length()), values);
        });
        return b.build();
    }

    private void store(KernelBuilder b, Reg out, Reg index, List<Reg> values) {
        int lanes = Math.min(4, values.size());
        for (int j = 0; j < values.size(); j += lanes) {
            b.store(Floats.memory(to), out, b.add(index, j), values.subList(j, j + lanes));
        }
    }
}
