package poot.core.kv;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The blocks of one sequence, in the order of its positions; the first of them may be shared through the prefix cache. */
public final class BlockTable {
    private final int positions;
    private int[] blocks = new int[4];
    private int count;
    private int shared;
    private PrefixCache.Node tip;
    private int held;
    private boolean fresh = true;

    BlockTable(int positions, PrefixCache.Node root) {
        this.positions = positions;
        this.tip = root;
    }

    /** Blocks. */
    public int count() {
        return count;
    }

    /** The block of positions {@code i * positions} …. */
    public int block(int i) {
        return blocks[i];
    }

    /** Writes the blocks as I32, and -1 to the end of {@code row}. */
    public void write(MemorySegment row) {
        MemorySegment.copy(blocks, 0, row, JAVA_INT_UNALIGNED, 0, count);
        row.asSlice(4L * count).fill((byte) -1);
    }

    /** Positions whose keys and values it holds. */
    public int held() {
        return held;
    }

    /** The slot of a position that has a block. */
    public int slot(int position) {
        return blocks[position / positions] * positions + position % positions;
    }

    /** How many of the blocks, the first ones, the prefix cache knows: they are not written. */
    int shared() {
        return shared;
    }

    /** The last block the prefix cache knows; its root if there is none. */
    PrefixCache.Node tip() {
        return tip;
    }

    /** The last block; -1 if there is none. */
    int last() {
        return count == 0 ? -1 : blocks[count - 1];
    }

    void add(int block) {
        insert(count, block);
    }

    /** One more shared block, before those of its own. */
    void share(PrefixCache.Node node) {
        insert(shared, node.block());
        shared++;
        tip = node;
    }

    private void insert(int at, int block) {
        if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * count);
        }
        System.arraycopy(blocks, at, blocks, at + 1, count - at);
        blocks[at] = block;
        count++;
    }

    /** The first block of its own is known as {@code node} from now on, whose block takes its place; the block it was. */
    int settle(PrefixCache.Node node) {
        int was = blocks[shared];
        blocks[shared++] = node.block();
        tip = node;
        return was;
    }

    /** The last shared block, of which nothing comes after, is no longer shared: {@code block} takes its place. */
    void own(int block) {
        blocks[--shared] = block;
        tip = tip.parent();
    }

    /** Whether its sequence has written nothing: what it holds was found. */
    boolean fresh() {
        return fresh;
    }

    /** So many positions were found. */
    void found(int n) {
        held = n;
    }

    /** So many positions are written. */
    void written(int n) {
        held = n;
        fresh = false;
    }

    /** Only the first {@code n} positions are kept, in whole blocks. */
    void keep(int n) {
        fresh = count == 0 || fresh && n >= held;
        held = Math.min(held, n);
    }

    /** Removes the last block. */
    void removeLast() {
        count--;
        if (shared > count) {
            shared = count;
            tip = tip.parent();
        }
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOf(blocks, count)) + ", " + shared + " shared";
    }
}
