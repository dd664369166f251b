package poot.backend.cpu.x86.weight;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.api.Test;
import poot.api.graph.Encoding;
import poot.backend.cpu.x86.Simd;

class InterleavingTest {
    private static final Set<Encoding> COMMON = EnumSet.of(Encoding.Q8_0, Encoding.Q4_0, Encoding.Q4_1, Encoding.Q5_0,
            Encoding.Q5_1, Encoding.Q3_K, Encoding.Q4_K, Encoding.Q5_K, Encoding.Q6_K, Encoding.IQ4_NL, Encoding.MXFP4);

    @Test
    void commonFormatsHaveAnOrder() {
        for (Encoding e : COMMON) {
            for (Simd simd : List.of(Simd.AVX2, Simd.AVX512, Simd.AVX512_VNNI)) {
                assertTrue(Interleaving.of(simd, StoredRows.of(e).orElseThrow()).isPresent(), e + " with " + simd);
            }
        }
    }

    /** Every byte of every row stands where its number's place says. */
    @ParameterizedTest
    @EnumSource(Encoding.class)
    void bytesAreExchangedAndNothingElse(Encoding e) {
        for (Simd simd : List.of(Simd.AVX2, Simd.AVX512_VNNI)) {
            StoredRows.of(e).flatMap(s -> Interleaving.of(simd, s)).ifPresent(order -> {
                int rowBytes = 3 * order.stepBytes();
                byte[] rows = new byte[order.lanes() * rowBytes];
                new Random(5).nextBytes(rows);
                MemorySegment to = MemorySegment.ofArray(new byte[rows.length]);
                order.write(MemorySegment.ofArray(rows), 0, rowBytes, to, 0);
                byte[] back = new byte[rows.length];
                for (Interleaving.Number n : order.numbers()) {
                    for (int at = n.at(); at < n.at() + n.bytes() * n.count(); at++) {
                        int number = (at - n.at()) / n.bytes() * n.bytes();
                        for (int row = 0; row < order.lanes(); row++) {
                            for (int step = 0; step < 3; step++) {
                                long place = step * (long) order.lanes() * order.stepBytes() + order.place(n.at() + number)
                                        + (long) row * n.bytes() + (at - n.at() - number);
                                back[row * rowBytes + step * order.stepBytes() + at] = to.get(ValueLayout.JAVA_BYTE, place);
                            }
                        }
                    }
                }
                assertArrayEquals(rows, back, e + " with " + simd);
            });
        }
    }

    @Test
    void readsDivideAStepOrDoNot() {
        Reads reads = new Reads();
        reads.note(2, 4, 2);
        assertFalse(reads.divide(10), "a gap at the start");
        reads.note(0, 2, 1);
        assertTrue(reads.divide(10));
        assertFalse(reads.divide(12), "a gap at the end");
        assertEquals(List.of(2, 6, 0), List.copyOf(reads.units().keySet()));
        reads.note(2, 2, 1);
        assertFalse(reads.divide(10), "read as two and as four bytes");
    }
}
