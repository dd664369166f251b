package poot.core.kv;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import poot.api.driver.CacheUse;
import poot.api.executor.ExecutorException;

/**
 * One pool of blocks, the tables of the sequences that share it, and the cache of beginnings they have in common.
 *
 * <p>A beginning is found by its tokens alone. What else decides its keys and values, the weights in effect, the layout
 * and the element type, is the same for everything a driver runs: a pool belongs to one driver and never outlives it,
 * so that it is part of every key.
 *
 * <p>A fresh table is looked up and given blocks before they are written ({@link #reserve}); its filled blocks are cached
 * once what is in them is known to be sound ({@link #settle}). Where a block that others can see would be written, the
 * sequence is given a copy.
 */
public final class KvPool {
    private final int positions;
    private final BlockPool pool;
    private final PrefixCache cache;
    private final BlockStore store;
    private long hits;
    private long asked;

    /** A pool of {@code blocks} blocks of {@code positions} positions, all free. */
    public KvPool(int blocks, int positions, BlockStore store) {
        this.positions = positions;
        this.pool = new BlockPool(blocks);
        this.cache = new PrefixCache(positions);
        this.store = store;
    }

    /** A table without blocks. */
    public BlockTable open() {
        return new BlockTable(positions, cache.root());
    }

    /** What the prefix cache has for a table beyond what it holds: whole blocks, then a part of one; tokens in all. */
    private record Found(List<PrefixCache.Node> nodes, PrefixCache.Partial partial, int held) {
        Found withoutPartial() {
            return new Found(nodes, new PrefixCache.Partial(partial.node(), 0), held - partial.positions());
        }
    }

    private Found find(BlockTable t, int[] tokens, int limit) {
        List<PrefixCache.Node> nodes = new ArrayList<>();
        PrefixCache.Node tip = t.tip();
        int from = t.shared() * positions;
        while (from + positions <= limit) {
            PrefixCache.Node next = cache.child(tip, tokens, from);
            if (next == null) {
                break;
            }
            nodes.add(next);
            tip = next;
            from += positions;
        }
        PrefixCache.Partial partial = cache.partial(tip, tokens, from, limit);
        return new Found(nodes, partial, from + partial.positions());
    }

    /**
     * Makes sure of blocks for the next positions of a sequence. What is found of a fresh table's tokens is shared first:
     * whole blocks, and a copy of a part of one more where a block can be had for it. Where the next position lies in a
     * block that others can see, the table is given a copy. Cached blocks nobody holds are given up as needed, the least
     * recently used first.
     *
     * @param tokens the sequence's, {@code length} of them
     * @param limit  tokens to find at most; 0 for a sequence that shares nothing
     * @param ahead  positions to be written; 0 only looks up
     * @return false if there are not blocks enough: nothing was taken
     * @throws ExecutorException if the store failed: the table may have some of the blocks, and is to be closed
     */
    public boolean reserve(BlockTable t, int[] tokens, int length, int limit, int ahead) throws ExecutorException {
        Found found = new Found(List.of(), new PrefixCache.Partial(cache.root(), 0), t.held());
        if (t.fresh() && limit > t.held()) {
            Found better = find(t, tokens, limit);
            if (better.partial().positions() > 0 && !fits(t, better, length, ahead)) {
                better = better.withoutPartial();
            }
            found = better.held() > t.held() ? better : found;
        }
        if (!fits(t, found, length, ahead)) {
            return false;
        }
        give(t, found, end(found, length, ahead));
        return true;
    }

    private static int end(Found found, int length, int ahead) {
        return (int) Math.min(length, (long) found.held() + ahead);
    }

    /** Whether a table can have what was found and the blocks it needs then. */
    private boolean fits(BlockTable t, Found found, int length, int ahead) {
        int end = end(found, length, ahead);
        int needed = Math.max(0, Math.ceilDiv(end, positions) - t.count() - found.nodes().size());
        int available = pool.free() + pool.idle();
        for (PrefixCache.Node node : found.nodes()) {
            available -= pool.holders(node.block()) == 0 ? 1 : 0;
        }
        if (found.partial().positions() > 0) {
            available -= pool.holders(found.partial().node().block()) == 0 ? 1 : 0;
        }
        // A shared block to be written becomes the sequence's own by a copy, or as it is where nobody else holds it.
        boolean copies = end > found.held() && seen(t, found.held()) && pool.holders(t.tip().block()) > 1;
        return needed + (copies ? 1 : 0) <= available;
    }

    /** Whether others can see the block of the next position. */
    private boolean seen(BlockTable t, int held) {
        return held < t.shared() * positions;
    }

    private void give(BlockTable t, Found found, int end) throws ExecutorException {
        for (PrefixCache.Node node : found.nodes()) {
            hold(node);
            t.share(node);
        }
        int part = found.partial().positions();
        PrefixCache.Node source = found.partial().node();
        if (part > 0) {
            hold(source);
        }
        try {
            while (t.count() * positions < end) {
                t.add(take(t.last()));
            }
            if (part > 0) {
                store.copy(source.block(), t.block(t.shared()), part);
            }
        } finally {
            if (part > 0) {
                drop(source);
            }
        }
        if (found.held() > t.held()) {
            t.found(found.held());
        }
        if (end > t.held() && seen(t, t.held())) {
            unshare(t);
        }
    }

    /** The last shared block, of which a beginning is kept, becomes the sequence's own. */
    private void unshare(BlockTable t) throws ExecutorException {
        PrefixCache.Node node = t.tip();
        if (pool.free() + pool.idle() > 0) {
            int copy = take(t.last());
            boolean copied = false;
            try {
                store.copy(node.block(), copy, t.held() % positions);
                copied = true;
            } finally {
                if (!copied) {
                    pool.drop(copy);
                }
            }
            t.own(copy);
            drop(node);
        } else {
            cache.remove(node);
            pool.unregister(node.block());
            t.own(node.block());
        }
    }

    /** A block for one sequence, next to another if it can be. */
    private int take(int after) throws ExecutorException {
        if (pool.free() == 0) {
            PrefixCache.Node old = cache.oldest();
            cache.remove(old);
            pool.unregister(old.block());
        }
        int block = pool.next(after);
        if (pool.spoilt(block)) {
            store.clear(block);
            pool.cleared(block);
        }
        pool.take(block);
        return block;
    }

    private void hold(PrefixCache.Node node) {
        if (pool.hold(node.block())) {
            cache.wake(node);
        }
    }

    private void drop(PrefixCache.Node node) {
        if (pool.drop(node.block())) {
            cache.rest(node);
        }
    }

    /** Says that the first {@code held} positions of a table are written. */
    public void written(BlockTable t, int held) {
        t.written(held);
    }

    /**
     * Caches the blocks that the first {@code sound} tokens fill. Where another sequence filled one with the same tokens
     * before, it is shared and the table's own given back.
     */
    public void settle(BlockTable t, int[] tokens, int sound) {
        while ((t.shared() + 1) * positions <= sound) {
            int from = t.shared() * positions;
            int own = t.block(t.shared());
            PrefixCache.Node known = cache.child(t.tip(), tokens, from);
            if (known == null) {
                t.settle(cache.add(t.tip(), tokens, from, own));
                pool.register(own);
            } else {
                hold(known);
                t.settle(known);
                pool.drop(own);
            }
        }
    }

    /**
     * Keeps the first {@code kept} positions of a table and gives the other blocks back.
     *
     * @param spoilt whether what was written to blocks of its own may be NaN
     */
    public void cut(BlockTable t, int kept, boolean spoilt) {
        int blocks = Math.ceilDiv(kept, positions);
        while (t.count() > blocks) {
            int block = t.last();
            PrefixCache.Node node = t.tip();
            boolean shared = t.shared() == t.count();
            t.removeLast();
            if (shared) {
                drop(node);
            } else {
                if (spoilt) {
                    pool.spoil(block);
                }
                pool.drop(block);
            }
        }
        t.keep(kept);
    }

    /** Counts tokens that were looked up, and how many were found. */
    public void count(long lookedUp, long found) {
        asked += lookedUp;
        hits += found;
    }

    /** What the blocks are used for. */
    public CacheUse use() {
        int used = pool.total() - pool.free() - pool.idle();
        return new CacheUse(pool.total(), pool.free(), pool.idle(), used, positions, hits, asked);
    }

    /** An open table and its sequence's tokens. */
    public record Open(BlockTable table, int[] tokens) {}

    /**
     * Checks the books against all open tables.
     *
     * @throws IllegalStateException naming the block whose books disagree
     */
    public void checkIntegrity(Collection<Open> tables) {
        int[] holders = new int[pool.total()];
        for (Open open : tables) {
            BlockTable t = open.table();
            PrefixCache.Node node = t.tip();
            for (int i = t.count() - 1; i >= 0; i--) {
                int block = t.block(i);
                holders[block]++;
                boolean shared = i < t.shared();
                require(pool.registered(block) == shared, block, shared ? "is not cached but shared by" : "is cached but not shared by", t);
                require(shared || pool.holders(block) == 1, block, "is also held by others than", t);
                if (shared) {
                    require(node.block() == block && cache.holds(node, open.tokens(), i * positions, t.held()), block, "holds other tokens than", t);
                    node = node.parent();
                }
            }
            require(node == cache.root(), node.block(), "is cached before the blocks of", t);
            require(t.held() <= t.count() * positions, t.last(), "ends before the " + t.held() + " positions of", t);
        }
        pool.check(holders);
        cache.check(pool);
    }

    private static void require(boolean holds, int block, String what, BlockTable t) {
        if (!holds) {
            throw new IllegalStateException("block " + block + " " + what + " " + t);
        }
    }
}
