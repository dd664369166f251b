package poot.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.Residency;
import poot.api.graph.ElementType;
import poot.api.graph.Encoding;
import poot.api.graph.Format;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.backend.cpu.kernel.weight.Copies;
import poot.backend.cpu.memory.Available;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.x86.weight.DenseFormat;
import poot.backend.cpu.x86.weight.Interleaving;
import poot.backend.cpu.x86.weight.Regrouping;

class WeightCopiesTest {
    private static final Interleaving FOUR_ROWS = DenseFormat.F32.interleaving();

    /** Dense rows; nothing here decodes. */
    private record Rows() implements Format {
        @Override
        public Encoding encoding() {
            return Encoding.F32;
        }

        @Override
        public void decode(List<MemorySegment> parts, Shape stored, long row, int column, int count, float[] out, int at) {
            throw new AssertionError("decoded");
        }
    }

    /** Rows of more bytes than any machine has. */
    private record Endless() implements Copies.Making {
        @Override
        public Regrouping how() {
            return new Regrouping(true, 0, 0, 0, 1 << 30, 0, 1 << 30, 1 << 30, 128, 0, 4, ElementType.F16, Optional.empty());
        }

        @Override
        public int lanes() {
            return 16;
        }

        @Override
        public void make(int from, int end, MemorySegment to, long at) {
            throw new AssertionError("made");
        }
    }

    private static Weight weight(Arena arena, int rows) {
        MemorySegment bytes = arena.allocate(4L * rows * 32, 64);
        for (int i = 0; i < rows * 32; i++) {
            bytes.setAtIndex(ValueLayout.JAVA_FLOAT, i, i);
        }
        return Weight.whole("w", new Rows(), Shape.of(rows, 32), List.of(bytes));
    }

    @Test
    void aCopyThatHasNoMemoryIsAFailureWhereItWasInsistedOn() throws Exception {
        try (Arena arena = Arena.ofShared(); Team team = new Team(1)) {
            Weight w = weight(arena, 8);
            try (WeightCopies copies = new WeightCopies(List.of(w), Residency.COPIED, team)) {
                ExecutorException e = assertThrows(ExecutorException.class, () -> copies.made(w, new Endless()));
                assertEquals("a copy of w of weights", assertInstanceOf(OutOfMemory.class, e.fault()).what());
            }
        }
    }

    @Test
    void elseWhatWasCopiedIsReleasedAndAllIsReadWhereItIs() throws Exception {
        assumeTrue(Available.bytes() > 1 << 20, "the system does not tell what memory it has");
        try (Arena arena = Arena.ofShared(); Team team = new Team(1)) {
            Weight before = weight(arena, 8);
            Weight after = weight(arena, 8);
            List<String> said = new ArrayList<>();
            List<MemorySegment> released = new ArrayList<>();
            try (WeightCopies copies = new WeightCopies(List.of(before, after), Residency.AUTO, team, said::add)) {
                String read = copies.reading(() -> {
                    Optional<Weight> copy = copies.interleaved(before, FOUR_ROWS);
                    copy.ifPresent(c -> released.addAll(c.parts()));
                    boolean any = copy.isPresent() | copies.made(before, new Endless()).isPresent()
                            | copies.interleaved(after, FOUR_ROWS).isPresent();
                    return any ? "copied" : "mapped";
                });
                assertEquals("mapped", read);
                assertEquals(1, released.size());
                assertFalse(released.getFirst().scope().isAlive());
                assertEquals(0, copies.bytes());
                assertEquals(1, said.size(), said::toString);
                assertTrue(said.getFirst().startsWith("weights are read from their file, as with --weights mapped, and"
                        + " 2.0 KiB of copies are released: not enough memory for a copy of w of weights"), said::getFirst);
            }
        }
    }

    /** What another entry reads is not taken from under it; what fails for another reason is not tried again. */
    @Test
    void copiesOfAnEarlierPreparationStay() throws Exception {
        assumeTrue(Available.bytes() > 1 << 20, "the system does not tell what memory it has");
        try (Arena arena = Arena.ofShared(); Team team = new Team(1)) {
            Weight first = weight(arena, 8);
            Weight second = weight(arena, 12);
            List<String> said = new ArrayList<>();
            try (WeightCopies copies = new WeightCopies(List.of(first, second), Residency.AUTO, team, said::add)) {
                Weight copy = copies.reading(() -> copies.interleaved(first, FOUR_ROWS)).orElseThrow();
                assertThrows(ExecutorException.class, () -> copies.reading(() -> {
                    throw new ExecutorException(new OutOfMemory("an arena", 7));
                }));
                assertEquals(List.of(), said);
                long held = copies.bytes();
                int[] times = new int[1];
                copies.reading(() -> {
                    times[0]++;
                    if (copies.interleaved(second, FOUR_ROWS).isPresent()) {
                        throw new ExecutorException(new OutOfMemory("an arena", 7));
                    }
                    assertEquals(copy.parts(), copies.interleaved(first, FOUR_ROWS).orElseThrow().parts());
                    return times;
                });
                assertEquals(2, times[0]);
                assertEquals(held, copies.bytes());
                assertTrue(copy.parts().getFirst().scope().isAlive());
                assertTrue(said.getFirst().contains("1.5 KiB of copies are released: not enough memory for an arena"), said::getFirst);
            }
        }
    }

    @Test
    void weightsThatShareBytesShareACopy() throws Exception {
        try (Arena arena = Arena.ofShared(); Team team = new Team(1)) {
            Weight whole = weight(arena, 16);
            try (WeightCopies copies = new WeightCopies(List.of(whole), Residency.COPIED, team)) {
                Weight copy = copies.interleaved(whole, FOUR_ROWS).orElseThrow();
                Weight later = copies.interleaved(whole.rows(8, 16), FOUR_ROWS).orElseThrow();
                assertEquals(copy.parts(), later.parts());
                assertEquals(8, later.firstRow());
                assertEquals(16 * 32 * 4, copies.bytes());
                float[] group = copy.parts().getFirst().asSlice(8 * 32 * 4, 4 * 32 * 4).toArray(ValueLayout.JAVA_FLOAT);
                for (int i = 0; i < group.length; i++) {
                    int line = i / 16;
                    assertEquals((8 + line % 4) * 32 + line / 4 * 16 + i % 16, group[i], "element " + i);
                }
            }
        }
    }

    @Test
    void rowsThatAreNoWholeGroupsAndMappedWeightsHaveNone() throws Exception {
        try (Arena arena = Arena.ofShared(); Team team = new Team(1)) {
            try (WeightCopies copies = new WeightCopies(List.of(), Residency.COPIED, team)) {
                assertTrue(copies.interleaved(weight(arena, 6), FOUR_ROWS).isEmpty());
            }
            try (WeightCopies copies = new WeightCopies(List.of(), Residency.MAPPED, team)) {
                assertTrue(copies.interleaved(weight(arena, 8), FOUR_ROWS).isEmpty());
                assertEquals(0, copies.bytes());
            }
        }
    }
}
