package poot.core.kv;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Whose each block is. A block has holders, the sequences in whose tables it is, and it is registered or not: known to
 * the prefix cache. Without holders it is free, or idle where it is registered. A taken block has one holder.
 *
 * <p>A table of neighbouring blocks is read in long runs, so a sequence is given the block after its last where that is
 * free, and starts in the middle of a wide gap, where sequences can grow side by side.
 */
final class BlockPool {
    /** Gaps looked at for the widest. */
    private static final int GAPS = 256;

    private final int total;
    private final int[] holders;
    private final BitSet free = new BitSet();
    private final BitSet registered = new BitSet();
    private final BitSet spoilt = new BitSet();
    private int freeCount;
    private int idleCount;

    BlockPool(int total) {
        this.total = total;
        this.holders = new int[total];
        free.set(0, total);
        freeCount = total;
    }

    int total() {
        return total;
    }

    int free() {
        return freeCount;
    }

    /** Blocks that are registered and have no holder. */
    int idle() {
        return idleCount;
    }

    /** Sequences that hold a block. */
    int holders(int block) {
        return holders[block];
    }

    boolean registered(int block) {
        return registered.get(block);
    }

    /** The free block that {@link #take} should be given: the one after {@code after}, if it can be. */
    int next(int after) {
        if (freeCount == 0) {
            throw new IllegalStateException("no block is free");
        }
        if (after >= 0 && free.get(after + 1)) {
            return after + 1;
        }
        int start = 0;
        int width = 0;
        int from = free.nextSetBit(0);
        for (int gap = 0; gap < GAPS && from >= 0; gap++) {
            int end = free.nextClearBit(from);
            if (end - from > width) {
                start = from;
                width = end - from;
            }
            from = free.nextSetBit(end);
        }
        return start == 0 ? 0 : start + width / 2;
    }

    /** Gives a free block to a sequence. */
    void take(int block) {
        require(free.get(block), block, "taken");
        free.clear(block);
        freeCount--;
        holders[block] = 1;
    }

    /** One more sequence holds a registered block; whether it is the first. */
    boolean hold(int block) {
        require(registered.get(block), block, "shared");
        boolean first = holders[block]++ == 0;
        if (first) {
            idleCount--;
        }
        return first;
    }

    /** One sequence fewer holds a block; whether it was the last. */
    boolean drop(int block) {
        require(holders[block] > 0, block, "dropped");
        if (--holders[block] > 0) {
            return false;
        }
        if (registered.get(block)) {
            idleCount++;
        } else {
            release(block);
        }
        return true;
    }

    /** The prefix cache knows a held block from now on. */
    void register(int block) {
        require(holders[block] > 0 && !registered.get(block), block, "registered");
        registered.set(block);
    }

    /** The prefix cache has forgotten a block: it is free if nobody holds it. */
    void unregister(int block) {
        require(registered.get(block), block, "forgotten");
        registered.clear(block);
        if (holders[block] == 0) {
            idleCount--;
            release(block);
        }
    }

    private void release(int block) {
        free.set(block);
        freeCount++;
    }

    /** What is in an unregistered block may be NaN, which no mask hides: it is to be cleared before it is taken. */
    void spoil(int block) {
        require(!registered.get(block), block, "spoilt");
        spoilt.set(block);
    }

    boolean spoilt(int block) {
        return spoilt.get(block);
    }

    void cleared(int block) {
        spoilt.clear(block);
    }

    private void require(boolean holds, int block, String what) {
        if (!holds) {
            throw new IllegalStateException("block " + block + " is " + what + " but " + state(block));
        }
    }

    private String state(int block) {
        return (free.get(block) ? "free" : "held by " + holders[block]) + (registered.get(block) ? " and registered" : "");
    }

    /** Compares the books with the holders counted in the tables, [total]. */
    void check(int[] counted) {
        int frees = 0;
        int idles = 0;
        for (int b = 0; b < total; b++) {
            if (holders[b] != counted[b]) {
                throw new IllegalStateException("block " + b + " has " + holders[b] + " holders in the books, " + counted[b] + " in tables");
            }
            if (free.get(b) != (holders[b] == 0 && !registered.get(b))) {
                throw new IllegalStateException("block " + b + " is " + state(b) + ", held by " + holders[b]);
            }
            frees += free.get(b) ? 1 : 0;
            idles += holders[b] == 0 && registered.get(b) ? 1 : 0;
        }
        if (frees != freeCount || idles != idleCount || registered.length() > total || free.length() > total) {
            throw new IllegalStateException(frees + " blocks are free and " + idles + " idle of " + total + ", not " + freeCount
                    + " and " + idleCount + "; held " + Arrays.stream(holders).filter(h -> h > 0).count());
        }
    }
}
