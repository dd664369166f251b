package poot.core.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import poot.api.driver.CacheUse;
import poot.api.executor.ExecutorException;

/** A pool and its sequences, beside a model of what the blocks hold: what was written for each position. */
class KvModel {
    static final int POSITIONS = 4;
    private static final long NAN = -1;

    /** The contents of blocks: what each position was written for, or {@link #NAN}. */
    static final class Contents implements BlockStore {
        final long[][] slots;
        boolean failing;

        Contents(int blocks) {
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
    static final class Live {
        final BlockTable table;
        int[] tokens;
        int length;
        int sound;
        boolean doubtful;
        final boolean shares;

        Live(BlockTable table, int[] tokens, boolean shares) {
            this.table = table;
            this.tokens = tokens;
            this.length = tokens.length;
            this.shares = shares;
        }

        int limit() {
            return shares ? length - 1 : 0;
        }

        /** What position 0, 1, … hold when they are right: a number of all tokens to each. */
        long[] marks() {
            long[] marks = new long[length];
            long mark = 17;
            for (int i = 0; i < length; i++) {
                mark = (mark * 1_000_003 + tokens[i] + 1) & Long.MAX_VALUE;
                marks[i] = mark;
            }
            return marks;
        }
    }

    final Random random = new Random(5);
    final List<Live> live = new ArrayList<>();
    /** Beginnings that were cached, whole blocks each. */
    final Set<List<Integer>> cached = new HashSet<>();
    Contents contents;
    KvPool pool;

    void begin(int blocks) {
        contents = new Contents(blocks);
        pool = new KvPool(blocks, POSITIONS, contents);
        live.clear();
        cached.clear();
    }

    int[] tokens(int length) {
        int[] t = new int[length];
        Arrays.setAll(t, i -> random.nextInt(2));
        return t;
    }

    Live open(int[] tokens, boolean shares) throws ExecutorException {
        Live s = new Live(pool.open(), tokens, shares);
        assertTrue(reserve(s, 0), "to look up needs no block");
        live.add(s);
        return s;
    }

    boolean reserve(Live s, int n) throws ExecutorException {
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
    void feed(Live s, int n, boolean sound, boolean nan) {
        int end = Math.min(s.length, s.table.held() + n);
        long[] marks = s.marks();
        for (int p = s.table.held(); p < end; p++) {
            contents.slots[s.table.slot(p) / POSITIONS][p % POSITIONS] = nan ? NAN : marks[p];
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

    void cut(Live s, int kept) {
        s.doubtful |= s.sound < s.table.held();
        pool.cut(s.table, kept, s.doubtful);
        s.sound = Math.min(s.sound, kept);
    }

    void append(Live s, int n) {
        s.tokens = Arrays.copyOf(s.tokens, s.length + n);
        for (int i = 0; i < n; i++) {
            s.tokens[s.length++] = random.nextInt(2);
        }
    }

    void check() {
        pool.checkIntegrity(live.stream().map(s -> new KvPool.Open(s.table, s.tokens)).toList());
        CacheUse use = pool.use();
        assertEquals(use.total(), use.free() + use.cached() + use.used());
        for (Live s : live) {
            long[] marks = s.marks();
            for (int p = 0; p < s.sound; p++) {
                int at = p;
                assertEquals(marks[p], contents.slots[s.table.slot(p) / POSITIONS][p % POSITIONS], () -> "position " + at + " of " + s.table);
            }
        }
    }

    void noNan(Live s) {
        for (int p = s.table.held(); p < s.table.count() * POSITIONS; p++) {
            assertTrue(s.doubtful || s.sound < s.table.held() || contents.slots[s.table.slot(p) / POSITIONS][p % POSITIONS] != NAN,
                    () -> "a given block holds NaN: " + s.table);
        }
    }
}
