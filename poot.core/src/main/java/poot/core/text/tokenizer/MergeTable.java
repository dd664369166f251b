package poot.core.text.tokenizer;

import java.util.Arrays;

/** (left id, right id) -> (rank, merged id): open addressing over packed longs. */
final class MergeTable {
    private static final long FREE = -1;

    private final long[] pairs;
    private final long[] merges;
    private final int[] mergedByRank;

    /** Room for the given number of pairs. */
    MergeTable(int count) {
        int slots = Integer.highestOneBit(Math.max(8, count)) * 4;
        pairs = new long[slots];
        merges = new long[slots];
        mergedByRank = new int[count];
        Arrays.fill(pairs, FREE);
    }

    /** Adds a merge of a rank below the count; where the pair is known already, the new one counts only if {@code replace} says so. */
    void put(int left, int right, int rank, int merged, boolean replace) {
        mergedByRank[rank] = merged;
        long pair = (long) left << 32 | right;
        int slot = slot(pair);
        while (pairs[slot] != FREE && pairs[slot] != pair) {
            slot = slot + 1 & pairs.length - 1;
        }
        if (pairs[slot] == FREE || replace) {
            pairs[slot] = pair;
            merges[slot] = (long) rank << 32 | merged;
        }
    }

    /** rank << 32 | merged id, or -1 where the pair does not merge. */
    long get(int left, int right) {
        long pair = (long) left << 32 | right;
        int slot = slot(pair);
        while (pairs[slot] != FREE) {
            if (pairs[slot] == pair) {
                return merges[slot];
            }
            slot = slot + 1 & pairs.length - 1;
        }
        return -1;
    }

    /** The id the merge of a rank yields. */
    int merged(int rank) {
        return mergedByRank[rank];
    }

    private int slot(long pair) {
        long h = pair * 0x9E3779B97F4A7C15L;
        return (int) (h >>> 32 ^ h >>> 47) & pairs.length - 1;
    }
}
