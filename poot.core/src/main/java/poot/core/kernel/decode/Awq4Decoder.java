package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * AWQ of four bits, the GEMM layout: a word is eight outputs of one input, a run as many inputs as share a scale, at most
 * eight. The layout is that of {@code Awq4} in poot.core.quant.
 */
record Awq4Decoder(StoredMatrix stored) implements WeightDecoder {
    @Override
    public int length() {
        ScaleParts scales = new ScaleParts(stored);
        return scales.across() == 1 ? 8 : Integer.lowestOneBit(scales.scales().columns() | 8);
    }

    @Override
    public boolean acrossRows() {
        return true;
    }

    @Override
    public List<WeightSource> sources() {
        return List.of(new WeightSource.Part(0), new WeightSource.Part(1), new WeightSource.Part(2));
    }

    @Override
    public WeightRow row(KernelBuilder b, List<Reg> sources, Reg row) {
        ScaleParts scales = new ScaleParts(stored);
        int rows = stored.rows();
        int words = rows / 8;
        Reg matrix = scales.matrix(b, row);
        Reg output = scales.inner(b, row);
        Reg word = b.shr(output, 3);
        Reg of = b.and(output, 7);
        Reg shift = b.mul(b.mad(b.and(of, 1), 4, b.shr(of, 1)), 4);
        Reg codes = b.advance(sources.get(0), matrix, (long) stored.columns() * words * 4);
        Reg zeros = b.advance(sources.get(1), matrix, (long) scales.across() * words * 4);
        Reg factors = b.advance(sources.get(2), matrix, (long) scales.across() * rows * Floats.memory(scales.scales().element()).bytes());
        return run -> {
            Reg group = scales.group(b, run, length(), 0);
            Reg zero = b.toF32(b.and(b.shr(b.load(MemoryType.U32, zeros, b.mad(group, words, word)), shift), 15));
            List<Reg> out = new ArrayList<>(length());
            for (int j = 0; j < length(); j++) {
                Reg column = b.add(b.mul(run, length()), j);
                Reg code = b.and(b.shr(b.load(MemoryType.U32, codes, b.mad(column, words, word)), shift), 15);
                out.add(b.sub(Codes.number(b, code, 0), zero));
            }
            return Run.of(out, scales.load(b, factors, b.mad(group, rows, output)));
        };
    }
}
