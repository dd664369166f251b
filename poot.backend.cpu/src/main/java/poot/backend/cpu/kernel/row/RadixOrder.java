package poot.backend.cpu.kernel.row;

import java.util.Arrays;

/** Sorts one row of n keys, largest first and stable: least significant digit first, three passes of eleven bits. */
final class RadixOrder {
    private static final int BITS = 11;
    private static final int BUCKETS = 1 << BITS;

    private final int[] keys;
    private final int[] otherKeys;
    private final int[] order;
    private final int[] otherOrder;
    private final int[] counts = new int[3 * BUCKETS];

    RadixOrder(int n) {
        keys = new int[n];
        otherKeys = new int[n];
        order = new int[n];
        otherOrder = new int[n];
    }

    /** The indices of a row's elements in falling order of their keys, equal ones by rising index. */
    int[] sort(LargestK source, long row) {
        Arrays.fill(counts, 0);
        for (int i = 0; i < keys.length; i++) {
            int falling = ~source.key(row, i);
            keys[i] = falling;
            order[i] = i;
            for (int pass = 0; pass < 3; pass++) {
                counts[pass * BUCKETS + digit(falling, pass)]++;
            }
        }
        for (int pass = 0; pass < 3; pass++) {
            int total = 0;
            for (int b = pass * BUCKETS; b < (pass + 1) * BUCKETS; b++) {
                int count = counts[b];
                counts[b] = total;
                total += count;
            }
        }
        move(keys, order, otherKeys, otherOrder, 0);
        move(otherKeys, otherOrder, keys, order, 1);
        move(keys, order, otherKeys, otherOrder, 2);
        return otherOrder;
    }

    private void move(int[] fromKeys, int[] from, int[] toKeys, int[] to, int pass) {
        for (int i = 0; i < from.length; i++) {
            int place = counts[pass * BUCKETS + digit(fromKeys[i], pass)]++;
            toKeys[place] = fromKeys[i];
            to[place] = from[i];
        }
    }

    private static int digit(int key, int pass) {
        return key >>> pass * BITS & BUCKETS - 1;
    }
}
