package poot.core.kv;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Filled blocks by the tokens that filled them: a tree whose node is one block and the {@code positions} tokens in it,
 * and whose path from the root is the beginning of a sequence. Tokens are compared one by one, never by a hash alone.
 * A node takes a bounded amount of memory on the heap: its tokens, and its place among its parent's children and, where
 * nobody holds it and it has no child, among those that can be given up.
 */
final class PrefixCache {
    /** A cached block. */
    static final class Node {
        private final Node parent;
        private final int[] tokens;
        private final int block;
        private TreeMap<int[], Node> children;
        private boolean idle;
        private long used;

        private Node(Node parent, int[] tokens, int block) {
            this.parent = parent;
            this.tokens = tokens;
            this.block = block;
        }

        /** The node of the tokens before; null at the root. */
        Node parent() {
            return parent;
        }

        /** The block; -1 at the root. */
        int block() {
            return block;
        }

        private boolean leaf() {
            return children == null;
        }
    }

    /** A cached block of which the first {@code positions} tokens are those looked for. */
    record Partial(Node node, int positions) {}

    private final int positions;
    private final Node root = new Node(null, new int[0], -1);
    private final TreeMap<Long, Node> leaves = new TreeMap<>();
    private long clock;
    private int size;

    PrefixCache(int positions) {
        this.positions = positions;
    }

    Node root() {
        return root;
    }

    /** The child of a node that holds tokens {@code from} …, or null. */
    Node child(Node node, int[] tokens, int from) {
        return node.leaf() ? null : node.children.get(Arrays.copyOfRange(tokens, from, from + positions));
    }

    /** The child of a node with the longest beginning among tokens {@code from} to {@code to}; its positions may be 0. */
    Partial partial(Node node, int[] tokens, int from, int to) {
        if (node.leaf() || from >= to) {
            return new Partial(node, 0);
        }
        int[] key = Arrays.copyOfRange(tokens, from, Math.min(to, from + positions));
        // In the order of tokens the longest beginning is next to the key, at one side of it.
        Partial before = common(node, node.children.lowerEntry(key), key);
        Partial after = common(node, node.children.ceilingEntry(key), key);
        return before.positions() > after.positions() ? before : after;
    }

    private static Partial common(Node parent, Map.Entry<int[], Node> e, int[] key) {
        if (e == null) {
            return new Partial(parent, 0);
        }
        int differs = Arrays.mismatch(e.getKey(), key);
        return new Partial(e.getValue(), differs < 0 ? key.length : Math.min(differs, key.length));
    }

    /** A new child of the root or of a node that is held: a held block that holds tokens {@code from} …. */
    Node add(Node parent, int[] tokens, int from, int block) {
        Node node = new Node(parent, Arrays.copyOfRange(tokens, from, from + positions), block);
        if (parent.leaf()) {
            parent.children = new TreeMap<>(Arrays::compare);
        }
        parent.children.put(node.tokens, node);
        size++;
        return node;
    }

    /** Nobody holds a node any more: now it was used last. */
    void rest(Node node) {
        node.idle = true;
        node.used = ++clock;
        if (node.leaf()) {
            leaves.put(node.used, node);
        }
    }

    /** Somebody holds a node again. */
    void wake(Node node) {
        node.idle = false;
        leaves.remove(node.used);
    }

    /** The leaf without a holder that was used least recently. */
    Node oldest() {
        if (leaves.isEmpty()) {
            throw new IllegalStateException("no cached block can be given up");
        }
        return leaves.firstEntry().getValue();
    }

    /** Forgets a node without children. */
    void remove(Node node) {
        if (!node.leaf() || node == root) {
            throw new IllegalStateException("block " + node.block + " is forgotten before the blocks after it");
        }
        leaves.remove(node.used);
        Node parent = node.parent;
        parent.children.remove(node.tokens);
        size--;
        if (parent.children.isEmpty()) {
            parent.children = null;
            if (parent.idle) {
                leaves.put(parent.used, parent);
            }
        }
    }

    /** Whether a node's tokens are tokens {@code from} … of those before {@code to}. */
    boolean holds(Node node, int[] tokens, int from, int to) {
        int n = Math.clamp(to - (long) from, 0, positions);
        return Arrays.equals(node.tokens, 0, n, tokens, from, from + n);
    }

    /** Compares the tree with the books of the pool. */
    void check(BlockPool pool) {
        int nodes = 0;
        int idleLeaves = 0;
        // Depth first without recursion: a path may be as long as a sequence.
        ArrayDeque<Node> open = new ArrayDeque<>();
        open.push(root);
        while (!open.isEmpty()) {
            Node node = open.pop();
            if (node != root) {
                nodes++;
                require(pool.registered(node.block), node, "is not registered");
                require(node.idle == (pool.holders(node.block) == 0), node, "rests and is held, or neither");
                require(node.parent == root || pool.holders(node.parent.block) >= pool.holders(node.block), node, "has more holders than its parent");
                boolean evictable = node.idle && node.leaf();
                require(evictable == (leaves.get(node.used) == node), node, "is not among the leaves as it should be");
                idleLeaves += evictable ? 1 : 0;
            }
            if (!node.leaf()) {
                for (Map.Entry<int[], Node> e : node.children.entrySet()) {
                    require(e.getValue().parent == node && e.getKey() == e.getValue().tokens, e.getValue(), "is not its parent's child");
                    open.push(e.getValue());
                }
            }
        }
        if (nodes != size || idleLeaves != leaves.size()) {
            throw new IllegalStateException(nodes + " blocks are cached, not " + size + "; " + idleLeaves + " leaves, not " + leaves.size());
        }
    }

    private static void require(boolean holds, Node node, String what) {
        if (!holds) {
            throw new IllegalStateException("cached block " + node.block + " " + what);
        }
    }
}
