package poot.core.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;

/** Random lives of sequences against the model; the books are checked after each act. */
class RandomLivesTest extends KvModel {
    /** One act of one sequence. */
    private void act() throws ExecutorException {
        Live s = live.isEmpty() ? null : live.get(random.nextInt(live.size()));
        switch (s == null ? 0 : live.size() > 7 ? 2 + random.nextInt(10) : random.nextInt(12)) {
            case 0, 1 -> open(tokens(1 + random.nextInt(30)), random.nextInt(8) > 0);
            case 2, 3, 4, 5, 6 -> {
                int n = 1 + random.nextInt(12);
                if (s.table.held() < s.length && reserve(s, n)) {
                    noNan(s);
                    boolean nan = random.nextInt(20) == 0;
                    feed(s, n, !nan && random.nextInt(4) > 0, nan);
                    if (nan && random.nextBoolean()) {
                        cut(s, s.sound);
                    } else if (nan) {
                        cut(s, 0);
                        live.remove(s);
                    }
                }
            }
            case 7 -> {
                if (s.length < 40) {
                    append(s, 1 + random.nextInt(3));
                }
            }
            case 8 -> reserve(s, random.nextInt(12));
            case 9 -> {
                s.length = 1 + random.nextInt(s.length);
                s.tokens = Arrays.copyOf(s.tokens, s.length);
                cut(s, Math.min(s.table.held(), s.length - 1));
                append(s, 1);
            }
            case 10 -> cut(s, 0);
            default -> {
                cut(s, 0);
                live.remove(s);
            }
        }
    }

    @Test
    void everyPositionHoldsWhatItsTokensWrote() throws ExecutorException {
        for (int blocks : new int[] {11, 16, 40, 200}) {
            begin(blocks);
            for (int i = 0; i < 4000; i++) {
                act();
                check();
            }
            while (!live.isEmpty()) {
                cut(live.getLast(), 0);
                live.removeLast();
                check();
            }
            assertEquals(0, pool.use().used());
        }
    }

    @Test
    void whereNothingIsGivenUpTheLongestBeginningIsFound() throws ExecutorException {
        begin(20_000);
        for (int i = 0; i < 3000; i++) {
            int[] tokens = tokens(1 + random.nextInt(40));
            Live s = open(tokens, true);
            int longest = 0;
            for (List<Integer> c : cached) {
                int n = 0;
                while (n < Math.min(c.size(), tokens.length - 1) && c.get(n) == tokens[n]) {
                    n++;
                }
                longest = Math.max(longest, n);
            }
            assertEquals(longest, s.table.held());
            assertTrue(reserve(s, tokens.length));
            feed(s, tokens.length, true, false);
            if (i % 100 == 0) {
                check();
            }
            if (i % 3 > 0) {
                cut(s, 0);
                live.remove(s);
            }
            if (cached.size() > 600) {
                begin(20_000);
            }
        }
    }
}
