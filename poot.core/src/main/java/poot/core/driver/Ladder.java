package poot.core.driver;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The sizes steps are prepared at: few, so that start-up is cheap, and close enough that little is padded. */
public final class Ladder {
    private static final int FIRST = 8;
    private static final int FACTOR = 4;

    private Ladder() {}

    /** Token counts of a prefill step: 8, 32, 128 … below the chunk, then the chunk. */
    public static List<Integer> tokens(int chunk) {
        SortedSet<Integer> out = new TreeSet<>();
        for (int t = FIRST; t < chunk; t *= FACTOR) {
            out.add(t);
        }
        out.add(chunk);
        return List.copyOf(out);
    }

    /** Row counts of a decode step: 1, 2, 4 … below the most, then the most. */
    static List<Integer> rows(int most) {
        SortedSet<Integer> out = new TreeSet<>();
        for (int r = 1; r < most; r *= 2) {
            out.add(r);
        }
        out.add(most);
        return List.copyOf(out);
    }

    /** Row counts of a pass of several tokens a row: 1, 4, 16 … up to the most; the most itself where it is below 4. */
    static List<Integer> together(int most) {
        SortedSet<Integer> out = new TreeSet<>(List.of(1, Math.min(most, FACTOR)));
        for (int r = FACTOR; r <= most; r *= FACTOR) {
            out.add(r);
        }
        return List.copyOf(out);
    }

    /** The largest step of a rising ladder that is at most {@code n}, or the smallest step. */
    public static int within(List<Integer> ladder, int n) {
        return ladder.stream().filter(s -> s <= n).reduce((a, b) -> b).orElse(ladder.getFirst());
    }

    /** The smallest step of a rising ladder that holds {@code n}, or the largest step. */
    public static int fitting(List<Integer> ladder, int n) {
        return ladder.stream().filter(s -> s >= n).findFirst().orElse(ladder.getLast());
    }
}
