package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/** MXFP4 in two parts, adjacent elements to a byte. The layout is that of {@code Mxfp4Pairs} in poot.core.quant. */
record PairsDecoder(StoredMatrix stored) implements WeightDecoder {
    private static final int RUN = 16;

    @Override
    public int length() {
        return RUN;
    }

    @Override
    public List<WeightSource> sources() {
        return List.of(new WeightSource.Part(0), new WeightSource.Part(1), new WeightSource.Book(stored.encoding()));
    }

    @Override
    public WeightRow row(KernelBuilder b, List<Reg> sources, Reg row) {
        Reg codes = b.advance(sources.get(0), row, stored.columns() / 2);
        Reg exponents = b.advance(sources.get(1), row, stored.columns() / 32);
        return run -> {
            List<Reg> out = new ArrayList<>(RUN);
            for (Reg word : new BlockBytes(b, codes, RUN / 2).words(2, 0, run, RUN / 2)) {
                for (int shift = 0; shift < 32; shift += 4) {
                    out.add(b.load(MemoryType.F32, sources.get(2), Codes.field(b, word, shift, 15)));
                }
            }
            Reg e = b.load(MemoryType.U8, exponents, b.shr(run, 1));
            return Run.of(out, TableRuns.halfPowerOfTwo(b, e));
        };
    }
}
