package poot.serve.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Unmeasured rounds: as many as wished, else at least one and not without end. */
class WarmUpTest {
    private static int rounds(WarmUp warmUp) {
        int n = 0;
        while (warmUp.next()) {
            n++;
        }
        assertEquals(n, warmUp.rounds());
        return n;
    }

    @Test
    void asManyAsWished() {
        assertEquals(0, rounds(new WarmUp(OptionalInt.of(0))));
        assertEquals(3, rounds(new WarmUp(OptionalInt.of(3))));
    }

    @Test
    void atLeastOneAndBounded() {
        int rounds = rounds(new WarmUp(OptionalInt.empty()));
        assertTrue(rounds >= 1 && rounds <= WarmUp.ROUNDS, rounds + " rounds");
    }

    @Test
    void compilersRestThatWorkedLittle() {
        assertTrue(WarmUp.resting(0.01, 1));
        assertFalse(WarmUp.resting(0.05, 1));
    }
}
