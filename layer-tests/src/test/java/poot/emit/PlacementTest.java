package poot.emit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.graph.ElementType;
import poot.api.graph.Format;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.backend.cpu.x86.weight.Placement;
import poot.core.quant.QuantFormats;

/** What emitted code does not read: parts that are too short for what the weight claims, and extents there is no code for. */
class PlacementTest {
    private static final int LANES = 16;

    @TempDir
    Path folder;

    static List<StoredForm> forms() {
        return StoredForm.all();
    }

    @ParameterizedTest
    @MethodSource("forms")
    void partsHoldWhatIsReadOfThem(StoredForm form) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            StoredForm.Memory memory = new StoredForm.Memory(folder, arena, new Random(1));
            int n = form.outputs()[2];
            int k = form.inputs()[1];
            for (Weight w : List.of(form.weight(n, k, memory), form.later(n, k, memory))) {
                assertTrue(Placement.of(w, LANES).isPresent(), form + " whole");
                for (int part = 0; part < w.parts().size(); part++) {
                    List<MemorySegment> parts = new ArrayList<>(w.parts());
                    MemorySegment whole = parts.get(part);
                    parts.set(part, whole.asSlice(0, whole.byteSize() - 1));
                    Weight shorter = new Weight(w.name(), w.format(), w.stored(), parts, w.firstRow(), 0, w.shape());
                    assertTrue(Placement.of(shorter, LANES).isEmpty(), form + " with less of part " + part);
                }
            }
        }
    }

    @Test
    void otherExtentsAreLeftToDecode() {
        assertEquals(List.of(), List.of(
                some(QuantFormats.gptq(48, true, false, ElementType.F16), 32, 96),
                some(QuantFormats.gptq(32, true, false, ElementType.F16), 20, 96),
                some(QuantFormats.gptq(32, true, true, ElementType.F16), 32, 96),
                some(QuantFormats.awq(32, ElementType.F16), 32, 40),
                some(QuantFormats.fp8Block(100, 64, ElementType.F32), 200, 128),
                some(QuantFormats.fp8Block(64, 100, ElementType.F32), 128, 128),
                some(QuantFormats.fp8Block(1, 64, ElementType.F32), 32, 128),
                some(QuantFormats.fp8Channel(ElementType.F32), 32, 96),
                some(QuantFormats.mxfp4Pairs(), 8, 64)).stream().filter(w -> Placement.of(w, LANES).isPresent()).toList());
    }

    @Test
    void largeScalesAreLeftToDecode() {
        for (float scale : new float[] {255, 256, Float.NaN, Float.NEGATIVE_INFINITY}) {
            Weight w = some(QuantFormats.fp8Channel(ElementType.F32), 32, 64);
            w.parts().get(1).set(ValueLayout.JAVA_FLOAT, 4 * 31, scale);
            assertEquals(!(Math.abs(scale) >= 256), Placement.of(w, LANES).isPresent(), "a scale of " + scale);
        }
    }

    /** A weight of zeros, every part larger than it needs to be. */
    private static Weight some(Format format, int n, int k) {
        Arena arena = Arena.ofAuto();
        List<MemorySegment> parts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            parts.add(arena.allocate(4L * n * k, 64));
        }
        for (int i = 0; i < k; i++) {
            parts.get(3).set(ValueLayout.JAVA_INT, 4L * i, i % 4 % 3); // of three groups, one has more inputs than the others
        }
        return Weight.whole(format.toString(), format, Shape.of(n, k), parts);
    }
}
