package poot.core.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.api.driver.CacheUse;
import poot.api.executor.ExecutorException;

/** Random lives of sequences against a model whose blocks hold what was written; the books are checked after each act. */
class KvPoolTest {
    private static final int POSITIONS = 4;
    private static final long NAN = -1;

    /** The contents of blocks: what each position was written for, or {@link #NAN}. */
    private static final class Contents implements BlockStore {
        private final long[][] slots;
        private boolean failing;

        private Contents(int blocks) {
            slots = new long[blocks][POSITIONS];
        }

        @Override
        public void copy(int from, int to, int positions) throws ExecutorException {
            fail();
            System.arraycopy(slots[from], 0, slots[to], 0, positions);
        }

        @Override
        public void clear(int block) throws ExecutorException {
            fail();
            Arrays.fill(slots[block], 0);
        }

        private void fail() throws ExecutorException {
            if (failing) {
                throw new ExecutorException(new ExecutorException.DeviceFailed("model", "told to"));
            }
        }
    }

    /** A sequence as the model sees it. */
    private static final class Live {
        private final BlockTable table;
        private int[] tokens;
        private int length;
        private int sound;
        private boolean doubtful;
        private final boolean shares;

        private Live(BlockTable table, int[] tokens, boolean shares) {
            this.table = table;
            this.tokens = tokens;
            this.length = tokens.length;
            this.shares = shares;
        }

        private int limit() {
            return shares ? length - 1 : 0;
        }

        /** What position {@code p} holds when it is right: a number of all tokens to it. */
        private long mark(int p) {
            long mark = 17;
            for (int i = 0; i <= p; i++) {
                mark = mark * 1_000_003 + tokens[i] + 1;
            }
            return mark & Long.MAX_VALUE;
        }
    }

    private final Random random = new Random(5);
    private final List<Live> live = new ArrayList<>();
    /** Beginnings that were cached, whole blocks each. */
    private final Set<List<Integer>> cached = new HashSet<>();
    private Contents contents;
    private KvPool pool;

    private void begin(int blocks) {
        contents = new Contents(blocks);
        pool = new KvPool(blocks, POSITIONS, contents);
        live.clear();
        cached.clear();
    }

    private int[] tokens(int length) {
        int[] t = new int[length];
        Arrays.setAll(t, i -> random.nextInt(2));
        return t;
    }

    private Live open(int[] tokens, boolean shares) throws ExecutorException {
        Live s = new Live(pool.open(), tokens, shares);
        assertTrue(reserve(s, 0), "to look up needs no block");
        live.add(s);
        return s;
    }

    private boolean reserve(Live s, int n) throws ExecutorException {
        CacheUse before = pool.use();
        int held = s.table.held();
        int count = s.table.count();
        boolean done = pool.reserve(s.table, s.tokens, s.length, s.limit(), n);
        if (done) {
            assertTrue(s.table.count() * POSITIONS >= Math.min(s.length, s.table.held() + n), s.table.toString());
            s.sound = Math.max(s.sound, s.table.held());
        } else {
            assertEquals(before, pool.use(), "nothing was taken");
            assertEquals(held, s.table.held());
            assertEquals(count, s.table.count());
        }
        return done;
    }

    /** Writes {@code n} pending positions; a sequence that is not {@code sound} writes what may be NaN. */
    private void feed(Live s, int n, boolean sound, boolean nan) {
        int end = Math.min(s.length, s.table.held() + n);
        for (int p = s.table.held(); p < end; p++) {
            contents.slots[s.table.slot(p) / POSITIONS][p % POSITIONS] = nan ? NAN : s.mark(p);
        }
        pool.written(s.table, end);
        if (sound) {
            s.sound = end;
            if (s.shares) {
                pool.settle(s.table, s.tokens, end);
                for (int n4 = POSITIONS; n4 <= end; n4 += POSITIONS) {
                    cached.add(Arrays.stream(s.tokens, 0, n4).boxed().toList());
                }
            }
        }
    }

    private void cut(Live s, int kept) {
        s.doubtful |= s.sound < s.table.held();
        pool.cut(s.table, kept, s.doubtful);
        s.sound = Math.min(s.sound, kept);
    }

    private void append(Live s, int n) {
        s.tokens = Arrays.copyOf(s.tokens, s.length + n);
        for (int i = 0; i < n; i++) {
            s.tokens[s.length++] = random.nextInt(2);
        }
    }

    private void check() {
        pool.checkIntegrity(live.stream().map(s -> new KvPool.Open(s.table, s.tokens)).toList());
        CacheUse use = pool.use();
        assertEquals(use.total(), use.free() + use.cached() + use.used());
        for (Live s : live) {
            for (int p = 0; p < s.sound; p++) {
                assertEquals(s.mark(p), contents.slots[s.table.slot(p) / POSITIONS][p % POSITIONS], "position " + p + " of " + s.table);
            }
        }
    }

    private void noNan(Live s) {
        for (int p = s.table.held(); p < s.table.count() * POSITIONS; p++) {
            assertTrue(s.doubtful || s.sound < s.table.held() || contents.slots[s.table.slot(p) / POSITIONS][p % POSITIONS] != NAN,
                    "a given block holds NaN at position " + p + " of " + s.table);
        }
    }

    /** One act of one sequence. */
    private void act() throws ExecutorException {
        Live s = live.isEmpty() ? null : live.get(random.nextInt(live.size()));
        switch (random.nextInt(s == null ? 1 : 12)) {
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

    @Test
    void theLeastRecentlyUsedLeafIsGivenUpFirst() throws ExecutorException {
        begin(6);
        int[] first = {1, 1, 1, 1, 1, 1, 1, 1, 5};
        int[] second = {2, 2, 2, 2, 2, 2, 2, 2, 5};
        for (int[] t : List.of(first, second, first)) {
            Live s = open(t, true);
            assertTrue(reserve(s, 8 - s.table.held()));
            feed(s, 8 - s.table.held(), true, false);
            cut(s, 0);
            live.remove(s);
        }
        assertEquals(new CacheUse(6, 2, 4, 0, POSITIONS, 0, 0), pool.use());
        Live other = open(new int[] {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, true);
        assertTrue(reserve(other, 12), "a block is taken from the second");
        check();
        cut(other, 0);
        live.remove(other);
        assertEquals(8, open(first, true).table.held());
        Live halved = open(second, true);
        assertEquals(4, halved.table.held(), "its last block was given up, its first is still held");
        check();
    }

    @Test
    void aBlockOthersSeeIsCopiedBeforeItIsWritten() throws ExecutorException {
        begin(8);
        int[] tokens = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        Live a = open(tokens.clone(), true);
        assertTrue(reserve(a, 9));
        feed(a, 9, true, false);
        Live b = open(tokens.clone(), true);
        assertEquals(8, b.table.held());
        assertEquals(a.table.block(1), b.table.block(1));
        b.length = 7;
        cut(b, 6);
        append(b, 2);
        assertTrue(reserve(b, 3));
        assertFalse(a.table.block(1) == b.table.block(1));
        check();
        feed(b, 3, true, false);
        check();
        Live c = open(new int[] {1, 2, 3, 4, 5, 6, 9, 9}, true);
        assertEquals(6, c.table.held(), "a part of a block is copied");
        assertTrue(reserve(c, 2));
        feed(c, 2, true, false);
        check();
    }

    @Test
    void aSequenceAloneNeverRunsDry() throws ExecutorException {
        begin(3);
        for (int kept = 1; kept <= 12; kept++) {
            Live s = open(tokens(12), true);
            assertTrue(reserve(s, 12));
            feed(s, 12, true, false);
            s.length = kept;
            cut(s, kept - 1);
            append(s, 12 - kept);
            assertTrue(reserve(s, 12), "after all but " + kept + " were forgotten");
            feed(s, 12, true, false);
            check();
            cut(s, 0);
            live.remove(s);
        }
    }

    @Test
    void aDryPoolGivesNothing() throws ExecutorException {
        begin(4);
        Live a = open(tokens(12), false);
        assertTrue(reserve(a, 12));
        Live b = open(tokens(12), false);
        assertFalse(reserve(b, 5));
        assertTrue(reserve(b, 4));
        assertFalse(reserve(b, 5));
        assertEquals(1, b.table.count());
        check();
        cut(a, 0);
        assertTrue(reserve(b, 12));
        check();
    }

    @Test
    void aFailedStoreLeavesTheBooksRight() throws ExecutorException {
        begin(8);
        Live a = open(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, true);
        assertTrue(reserve(a, 9));
        feed(a, 9, true, false);
        contents.failing = true;
        Live b = new Live(pool.open(), new int[] {1, 2, 3, 4, 5, 6, 0, 0}, true);
        assertThrows(ExecutorException.class, () -> pool.reserve(b.table, b.tokens, b.length, b.limit(), 0));
        live.add(b);
        check();
        cut(b, 0);
        live.remove(b);
        Live c = open(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, true);
        c.length = 7;
        cut(c, 6);
        assertThrows(ExecutorException.class, () -> pool.reserve(c.table, c.tokens, c.length, c.limit(), 1));
        check();
        Live d = open(new int[] {9, 9, 9}, true);
        contents.failing = false;
        assertTrue(reserve(d, 3));
        feed(d, 3, false, true);
        cut(d, 0);
        contents.failing = true;
        assertThrows(ExecutorException.class, () -> pool.reserve(d.table, d.tokens, d.length, d.limit(), 3));
        contents.failing = false;
        check();
        assertTrue(reserve(d, 3));
        noNan(d);
    }

    /** A path of as many blocks as a long sequence has is walked without recursion. */
    @Test
    void longSequencesAreCachedAndGivenUp() throws ExecutorException {
        int blocks = 50_000;
        contents = new Contents(1);
        pool = new KvPool(blocks, POSITIONS, contents);
        int[] tokens = new int[blocks * POSITIONS];
        BlockTable t = pool.open();
        assertTrue(pool.reserve(t, tokens, tokens.length, 0, tokens.length));
        pool.written(t, tokens.length);
        pool.settle(t, tokens, tokens.length);
        pool.checkIntegrity(List.of(new KvPool.Open(t, tokens)));
        pool.cut(t, 0, false);
        assertEquals(blocks, pool.use().cached());
        BlockTable other = pool.open();
        assertTrue(pool.reserve(other, tokens, tokens.length, 0, tokens.length));
        assertEquals(0, pool.use().cached());
        for (int i = 1; i < other.count(); i++) {
            assertTrue(other.block(i) != other.block(i - 1));
        }
        pool.checkIntegrity(List.of(new KvPool.Open(other, tokens)));
    }

    /** Sequences that grow side by side have long runs of neighbouring blocks. */
    @Test
    void growingSequencesGetNeighbours() throws ExecutorException {
        begin(512);
        for (int i = 0; i < 8; i++) {
            Live s = open(tokens(40), false);
            assertTrue(reserve(s, 40));
            feed(s, 40, true, false);
        }
        for (int round = 0; round < 100; round++) {
            for (Live s : live) {
                append(s, 1);
                assertTrue(reserve(s, 1));
                feed(s, 1, true, false);
            }
        }
        for (Live s : live) {
            int runs = 1;
            for (int i = 1; i < s.table.count(); i++) {
                runs += s.table.block(i) == s.table.block(i - 1) + 1 ? 0 : 1;
            }
            assertTrue(runs <= 3, runs + " runs: " + s.table);
        }
    }

    @Test
    void booksThatDisagreeAreReported() throws ExecutorException {
        begin(8);
        Live a = open(tokens(9), true);
        assertTrue(reserve(a, 9));
        feed(a, 9, true, false);
        assertThrows(IllegalStateException.class, () -> pool.checkIntegrity(List.of()));
        int[] others = a.tokens.clone();
        others[5] = 7;
        String said = assertThrows(IllegalStateException.class,
                () -> pool.checkIntegrity(List.of(new KvPool.Open(a.table, others)))).getMessage();
        assertTrue(said.contains("block " + a.table.block(1)), said);
    }
}
