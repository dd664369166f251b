package poot.core.kernel.decode;

import java.util.ArrayList;
import java.util.List;
import poot.api.graph.Encoding;
import poot.api.graph.Scales;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;

/**
 * FP8 (E4M3) with a scale for each row, for all, or for rectangles; a run is as long, up to 16, as divides a row and lies
 * within one rectangle. The layouts are those of {@code Fp8Channel} and {@code Fp8Block} in poot.core.quant.
 */
record Fp8Decoder(StoredMatrix stored) implements WeightDecoder {
    @Override
    public int length() {
        ScaleParts scales = new ScaleParts(stored);
        return Integer.lowestOneBit(stored.columns() | (scales.across() == 1 ? 16 : scales.scales().columns()) | 16);
    }

    @Override
    public List<WeightSource> sources() {
        return List.of(new WeightSource.Part(0), new WeightSource.Part(1));
    }

    @Override
    public WeightRow row(KernelBuilder b, List<Reg> sources, Reg row) {
        ScaleParts scales = new ScaleParts(stored);
        Reg from = b.advance(sources.get(0), row, stored.columns());
        Reg scaleRow = b.mul(scaleRow(b, scales, row), scales.across());
        return run -> {
            Reg scale = scales.load(b, sources.get(1), b.add(scaleRow, scales.group(b, run, length(), 0)));
            return Run.of(values(b, from, run), scale);
        };
    }

    private Reg scaleRow(KernelBuilder b, ScaleParts scales, Reg row) {
        int each = scales.scales().rows();
        if (stored.encoding() == Encoding.FP8_CHANNEL) {
            return each == Scales.ALL ? b.u32(0) : row;
        }
        return b.mad(scales.matrix(b, row), Math.ceilDiv(stored.rows(), each), b.div(scales.inner(b, row), each));
    }

    private List<Reg> values(KernelBuilder b, Reg from, Reg run) {
        int length = length();
        List<Reg> out = new ArrayList<>(length);
        if (length < 4) {
            for (int j = 0; j < length; j++) {
                out.add(e4m3(b, b.load(MemoryType.U8, from, b.add(b.mul(run, length), j))));
            }
            return out;
        }
        for (Reg word : new BlockBytes(b, from, length).words(length / 4, 0, run, length)) {
            for (int shift = 0; shift < 32; shift += 8) {
                out.add(e4m3(b, Codes.field(b, word, shift, 0xFF)));
            }
        }
        return out;
    }

    /** The value of an E4M3 byte (U32). */
    private static Reg e4m3(KernelBuilder b, Reg code) {
        Reg magnitude = b.and(code, 0x7F);
        Reg signed = b.xor(b.bits(finite(b, magnitude)), b.shl(b.and(code, 0x80), 24));
        return b.fromBits(b.select(b.eq(magnitude, 0x7F), b.u32(0x7FC00000), signed));
    }

    /** The value of an unsigned E4M3 code of seven bits, 0x7f being 480: as binary16 it is 256 times too small. */
    static Reg finite(KernelBuilder b, Reg magnitude) {
        return b.mul(b.fromF16Bits(b.shl(magnitude, 7)), 256f);
    }
}
