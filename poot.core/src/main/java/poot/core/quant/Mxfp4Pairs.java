package poot.core.quant;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;

/**
 * MXFP4 in two parts: {@code y[r,i] = e2m1(code[r,i]) 2^(exponent[r,i/32] - 127)}, in F32.
 *
 * <p>Parts: codes U8 [rows, in/32, 16], byte j of a block holding elements 2j (low nibble) and 2j + 1 (high nibble);
 * exponents U8 [rows, in/32]. Source: the OCP Microscaling Formats specification for the values, the gpt-oss
 * checkpoints ({@code _blocks}, {@code _scales}) for the layout.
 */
public record Mxfp4Pairs() implements Format {
    private static final int BLOCK = 32;
    private static final float[] E2M1 = {0f, 0.5f, 1f, 1.5f, 2f, 3f, 4f, 6f, -0f, -0.5f, -1f, -1.5f, -2f, -3f, -4f, -6f};

    @Override
    public Encoding encoding() {
        return Encoding.MXFP4_PAIRS;
    }

    @Override
    public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
        if (column % BLOCK != 0 || count % BLOCK != 0) {
            throw new IllegalArgumentException("elements " + column + " + " + count + " are not whole blocks of " + BLOCK);
        }
        MemorySegment codes = parts.get(0);
        MemorySegment exponents = parts.get(1);
        long first = row * (stored.dim(-1) / BLOCK) + column / BLOCK;
        for (int b = 0; b < count / BLOCK; b++) {
            int exponent = (exponents.get(ValueLayout.JAVA_BYTE, first + b) & 0xFF) - 127;
            long codesAt = (first + b) * (BLOCK / 2);
            int to = at + b * BLOCK;
            for (int j = 0; j < BLOCK / 2; j++) {
                int pair = codes.get(ValueLayout.JAVA_BYTE, codesAt + j) & 0xFF;
                out[to + 2 * j] = Math.scalb(E2M1[pair & 15], exponent);
                out[to + 2 * j + 1] = Math.scalb(E2M1[pair >> 4], exponent);
            }
        }
    }
}
