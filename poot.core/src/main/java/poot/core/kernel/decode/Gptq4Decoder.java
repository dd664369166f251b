package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * GPTQ of four bits: a run is the eight inputs of one word. Where one group covers it, it has one scale; else each element
 * has its own. The layout is that of {@code Gptq4} in poot.core.quant. A group that is not there reads as the last.
 */
record Gptq4Decoder(StoredMatrix stored) implements WeightDecoder {
    private static final int RUN = 8;

    @Override
    public int length() {
        return RUN;
    }

    @Override
    public boolean acrossRows() {
        return true;
    }

    @Override
    public List<WeightSource> sources() {
        List<WeightSource> out = new ArrayList<>(List.of(new WeightSource.Part(0), new WeightSource.Part(1), new WeightSource.Part(2)));
        if (ordered()) {
            out.add(new WeightSource.Part(3));
        }
        return out;
    }

    @Override
    public WeightRow row(KernelBuilder b, List<Reg> sources, Reg row) {
        ScaleParts scales = new ScaleParts(stored);
        int rows = stored.rows();
        Reg matrix = scales.matrix(b, row);
        Reg output = scales.inner(b, row);
        Reg codes = b.advance(sources.get(0), matrix, (long) stored.columns() / 8 * rows * 4);
        Group group = new Group(b, scales, output, b.advance(sources.get(1), matrix, (long) scales.across() * rows / 8 * 4),
                b.advance(sources.get(2), matrix, (long) scales.across() * rows * Floats.memory(scales.scales().element()).bytes()));
        return run -> {
            Reg word = b.load(MemoryType.U32, codes, b.mad(run, rows, output));
            return oneGroup() ? even(b, word, group, scales.group(b, run, RUN, 0))
                    : uneven(b, word, group, run, ordered() ? b.advance(sources.get(3), matrix, 4L * stored.columns()) : codes);
        };
    }

    private boolean ordered() {
        return stored.scales().orElseThrow().ordered();
    }

    private boolean oneGroup() {
        int columns = stored.scales().orElseThrow().columns();
        return !ordered() && (columns % RUN == 0 || columns >= stored.columns());
    }

    private static Run even(KernelBuilder b, Reg word, Group groups, Reg group) {
        Reg zero = b.toF32(groups.zero(group));
        List<Reg> out = new ArrayList<>(RUN);
        for (int j = 0; j < RUN; j++) {
            out.add(b.sub(Codes.number(b, Codes.field(b, word, 4 * j, 15), 0), zero));
        }
        return Run.of(out, groups.scale(group));
    }

    private Run uneven(KernelBuilder b, Reg word, Group groups, Reg run, Reg order) {
        List<Reg> out = new ArrayList<>(RUN);
        for (int j = 0; j < RUN; j++) {
            Reg column = b.add(b.mul(run, RUN), j);
            Reg group = ordered() ? b.min(b.load(MemoryType.U32, order, column), b.u32(groups.scales.across() - 1))
                    : groups.scales.group(b, run, RUN, j);
            Reg code = b.sub(Codes.number(b, Codes.field(b, word, 4 * j, 15), 0), b.toF32(groups.zero(group)));
            out.add(b.mul(groups.scale(group), code));
        }
        return Run.of(out);
    }

    /** Zero points and scales of one output. */
    private record Group(KernelBuilder b, ScaleParts scales, Reg output, Reg zeros, Reg factors) {
        Reg zero(Reg group) {
            int rows = scales.stored().rows();
            Reg word = b.load(MemoryType.U32, zeros, b.mad(group, rows / 8, b.shr(output, 3)));
            return b.add(b.and(b.shr(word, b.mul(b.and(output, 7), 4)), 15), scales.scales().zero());
        }

        Reg scale(Reg group) {
            return scales.load(b, factors, b.mad(group, scales.stored().rows(), output));
        }
    }
}
