package poot.api.driver;

/**
 * What the memory of keys and values is used for. Every block is in exactly one of three states:
 * {@code total == free + cached + used}. Where every row owns its memory a row is one block.
 *
 * @param total     blocks
 * @param free      blocks that hold nothing
 * @param cached    blocks kept for reuse alone; each is given up when it is needed
 * @param used      blocks that open sequences hold
 * @param positions positions of a block
 * @param hits      tokens that reuse spared, since the driver was prepared
 * @param asked     tokens of the sequences that were looked up for reuse, since the driver was prepared
 */
public record CacheUse(int total, int free, int cached, int used, int positions, long hits, long asked) {
    /** Blocks that can be had: free ones, and those that are kept for reuse alone. */
    public int available() {
        return free + cached;
    }
}
