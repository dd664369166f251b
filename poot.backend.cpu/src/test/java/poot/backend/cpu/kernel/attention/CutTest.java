package poot.backend.cpu.kernel.attention;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Heads stay together where that leaves every worker enough to do. */
class CutTest {
    private static List<Cut> cuts(int rows, int tokens, int groups) {
        return Cut.all(new Attention.Extents(rows, tokens, 2 * groups, groups, 16, 8, 1, 0), 2, Math.min(tokens, 4));
    }

    private static int span(List<Cut> cuts, int workers, int splits) {
        return Cut.forWorkers(cuts, workers, splits).span();
    }

    @Test
    void aSingleTokensHeadsAreCutEvenly() {
        assertEquals(List.of(6, 3, 2, 1), cuts(1, 1, 6).stream().map(Cut::span).toList());
        assertEquals(List.of(7, 1), cuts(1, 1, 7).stream().map(Cut::span).toList());
        assertEquals(List.of(1), cuts(1, 1, 1).stream().map(Cut::span).toList());
        assertEquals(List.of(1), cuts(1, 9, 6).stream().map(Cut::span).toList());
    }

    /** The scratch is reserved for the first: no cut takes more. */
    @Test
    void allTakeAsMuchSpace() {
        for (int groups : new int[] {1, 6, 7, 32}) {
            List<Cut> cuts = cuts(3, 1, groups);
            for (Cut c : cuts) {
                assertEquals(3L * groups / c.span(), c.tasks().count());
                assertEquals(cuts.getFirst().parts().bytes() * 3, c.parts().bytes() * c.tasks().count());
            }
        }
    }

    @Test
    void workersHaveEnoughToDo() {
        assertEquals(2, span(cuts(1, 1, 12), 2, 1));
        assertEquals(4, span(cuts(1, 1, 12), 2, 2));
        assertEquals(12, span(cuts(1, 1, 12), 2, 6));
        assertEquals(12, span(cuts(8, 1, 12), 2, 1));
        assertEquals(2, span(cuts(8, 1, 12), 16, 1));
        assertEquals(1, span(cuts(8, 1, 12), 17, 1));
        assertEquals(1, span(cuts(1, 1, 12), 64, 2), "more workers than heads");
        assertEquals(1, span(cuts(1, 9, 12), 1, 1));
    }

    @Test
    void oneWorkerWaitsForNobody() {
        assertEquals(12, span(cuts(1, 1, 12), 1, 1));
    }
}
