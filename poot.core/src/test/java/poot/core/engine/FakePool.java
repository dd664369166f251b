package poot.core.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.driver.CacheUse;

/** Blocks of token ids with counts of who holds them, and full ones kept by the tokens they were fed after. */
final class FakePool {
    static final int POISON = -7;

    private final int positions;
    private final boolean reuse;
    private final int[][] cells;
    private final int[] holders;
    private final Deque<Integer> free = new ArrayDeque<>();
    /** Kept blocks, least recently used first. */
    private final LinkedHashMap<List<Integer>, Integer> kept = new LinkedHashMap<>();
    private long hits;
    private long asked;

    FakePool(int blocks, int positions, boolean reuse) {
        this.positions = positions;
        this.reuse = reuse;
        this.cells = new int[blocks][positions];
        this.holders = new int[blocks];
        for (int b = 0; b < blocks; b++) {
            Arrays.fill(cells[b], POISON);
            free.add(b);
        }
    }

    /** Blocks that hold the longest beginning of some tokens, all but the last of them at most; each is held once more. */
    List<Integer> find(int[] tokens) {
        List<Integer> out = new ArrayList<>();
        asked += reuse ? tokens.length : 0;
        for (int end = positions; reuse && end < tokens.length; end += positions) {
            List<Integer> key = Arrays.stream(tokens, 0, end).boxed().toList();
            Integer block = kept.remove(key);
            if (block == null) {
                break;
            }
            kept.put(key, block);
            holders[block]++;
            out.add(block);
            hits += positions;
        }
        return out;
    }

    /** That many more blocks; empty, and nothing taken, where there are not so many. */
    Optional<List<Integer>> take(int count) {
        List<List<Integer>> idle = kept.entrySet().stream().filter(e -> holders[e.getValue()] == 0).map(Map.Entry::getKey).toList();
        if (count > free.size() + idle.size()) {
            return Optional.empty();
        }
        for (int i = 0; free.size() < count; i++) {
            int block = kept.remove(idle.get(i));
            Arrays.fill(cells[block], POISON);
            free.add(block);
        }
        List<Integer> out = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int block = free.remove();
            holders[block]++;
            out.add(block);
        }
        return Optional.of(out);
    }

    void write(List<Integer> table, int position, int token) {
        cells[table.get(position / positions)][position % positions] = token;
    }

    int read(List<Integer> table, int position) {
        return cells[table.get(position / positions)][position % positions];
    }

    /** Keeps the blocks that are full of the first {@code fed} tokens. */
    void keep(List<Integer> table, int[] tokens, int fed) {
        for (int end = positions; reuse && end <= fed; end += positions) {
            kept.putIfAbsent(Arrays.stream(tokens, 0, end).boxed().toList(), table.get(end / positions - 1));
        }
    }

    /** Gives a sequence's blocks back. */
    void give(List<Integer> table) {
        for (int block : table) {
            if (--holders[block] == 0 && !kept.containsValue(block)) {
                Arrays.fill(cells[block], POISON);
                free.add(block);
            }
        }
        table.clear();
    }

    CacheUse use() {
        int cached = (int) kept.values().stream().filter(b -> holders[b] == 0).count();
        return new CacheUse(cells.length, free.size(), cached, cells.length - free.size() - cached, positions, hits, asked);
    }

    void check(List<List<Integer>> tables) {
        int[] held = new int[cells.length];
        tables.forEach(t -> t.forEach(b -> held[b]++));
        Set<Integer> loose = new HashSet<>(free);
        for (int b = 0; b < cells.length; b++) {
            boolean inUse = held[b] > 0 || kept.containsValue(b);
            if (held[b] != holders[b] || inUse == loose.contains(b)) {
                throw new IllegalStateException("block " + b + " is held by " + held[b] + ", counted " + holders[b]);
            }
        }
    }
}
