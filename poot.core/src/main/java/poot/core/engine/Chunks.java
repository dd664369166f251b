package poot.core.engine;

import java.util.List;
import poot.core.driver.Ladder;

/**
 * How prompts are cut: into the token counts that steps are prepared for, since a pass of fewer tokens takes the time of
 * the next larger count. A rest of at most half that count goes in two passes instead.
 */
final class Chunks {
    private final List<Integer> ladder;

    /** Cuts for steps that feed a row {@code chunk} tokens at most. */
    Chunks(int chunk) {
        this.ladder = Ladder.tokens(chunk);
    }

    /** The smallest count that is worth a pass. */
    int least() {
        return ladder.getFirst();
    }

    /** How many of a row's {@code pending} tokens the next step feeds, of {@code left} it may; 0 where too few are left. */
    int take(int pending, int left) {
        int n = Math.min(Math.min(pending, left), ladder.getLast());
        int below = Ladder.within(ladder, n);
        if (n < pending) {
            return below <= n ? below : 0;
        }
        return below < n && 2 * n <= Ladder.fitting(ladder, n) ? below : n;
    }

    /** Tokens a pass of {@code n} is charged with: those it takes the time of. */
    int cost(int n) {
        return Ladder.fitting(ladder, n);
    }
}
