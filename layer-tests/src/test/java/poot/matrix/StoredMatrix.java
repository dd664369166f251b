package poot.matrix;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.core.quant.QuantFormats;

/**
 * A matrix stored in some format, of {@link #ROWS} times {@link #COLUMNS} zeros.
 *
 * @param name  of the format
 * @param parts bytes of each part
 */
record StoredMatrix(String name, Format format, List<Integer> parts) {
    static final int ROWS = 64;
    static final int COLUMNS = 256;
    private static final int COUNT = ROWS * COLUMNS;
    private static final int GROUP = 128;

    /** Every encoding there is; those of several parts with what checkpoints vary. */
    static List<StoredMatrix> all() {
        List<StoredMatrix> out = new ArrayList<>();
        for (Encoding e : Encoding.values()) {
            out.addAll(switch (e) {
                case MXFP4_PAIRS -> List.of(new StoredMatrix(e + "", QuantFormats.mxfp4Pairs(), List.of(COUNT / 2, COUNT / 32)));
                case GPTQ_4 -> List.of(
                        groups(e + "", QuantFormats.gptq(GROUP, true, false, ElementType.F16)),
                        groups(e + " in order", QuantFormats.gptq(GROUP, true, true, ElementType.F16), 4 * COLUMNS));
                case AWQ_4 -> List.of(groups(e + "", QuantFormats.awq(GROUP, ElementType.F16)));
                case FP8_CHANNEL -> List.of(new StoredMatrix(e + "", QuantFormats.fp8Channel(ElementType.F32), List.of(COUNT, 4 * ROWS)));
                case FP8_BLOCK -> List.of(new StoredMatrix(e + "", QuantFormats.fp8Block(ROWS, GROUP, ElementType.F32),
                        List.of(COUNT, 4 * COLUMNS / GROUP)));
                default -> List.of(new StoredMatrix(e + "", QuantFormats.of(e), List.of(COUNT / e.blockElements() * e.blockBytes())));
            });
        }
        return out;
    }

    /** Codes, zero points and scales, and what else there is. */
    private static StoredMatrix groups(String name, Format format, Integer... more) {
        List<Integer> parts = new ArrayList<>(List.of(COUNT / 2, COLUMNS / GROUP * ROWS / 2, COLUMNS / GROUP * ROWS * 2));
        parts.addAll(Arrays.asList(more));
        return new StoredMatrix(name, format, parts);
    }

    /** The matrix. */
    Weight weight() {
        return Weight.whole(name, format, Shape.of(ROWS, COLUMNS),
                parts.stream().map(n -> MemorySegment.ofArray(new long[n / 8]).asReadOnly()).toList());
    }

    /** A weight as if it were stored in this format; its bytes are not, so it can be compiled for and not loaded. */
    Weight label(Weight w) {
        return w.shape().rank() < 2 ? w : new Weight(w.name(), format, w.stored(), w.parts(), w.firstRow(), w.firstColumn(), w.shape());
    }
}
