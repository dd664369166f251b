package poot.core.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import poot.api.driver.CacheUse;
import poot.api.executor.ExecutorException;

/** What a pool does in the cases that matter one by one. */
class KvPoolTest extends KvModel {
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
