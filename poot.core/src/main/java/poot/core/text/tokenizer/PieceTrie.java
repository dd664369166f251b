package poot.core.text.tokenizer;

import java.util.Arrays;

/** A trie over UTF-16 units with a value at the end of each piece; the root is node 0. */
final class PieceTrie {
    private long[] edges = new long[64];     // node << 16 | unit, plus one; 0 is free
    private int[] targets = new int[64];
    private int[] values = {-1};
    private int nodes = 1;

    /** Adds a piece; a later value replaces an earlier one. */
    void add(String piece, int value) {
        int node = 0;
        for (int i = 0; i < piece.length(); i++) {
            int child = step(node, piece.charAt(i));
            node = child >= 0 ? child : grow(node, piece.charAt(i));
        }
        values[node] = value;
    }

    /** The node a unit leads to, or -1. */
    int step(int node, char unit) {
        long edge = ((long) node << 16 | unit) + 1;
        for (int slot = slot(edge); edges[slot] != 0; slot = slot + 1 & edges.length - 1) {
            if (edges[slot] == edge) {
                return targets[slot];
            }
        }
        return -1;
    }

    /** The node a text leads to from the root, or -1. */
    int walk(String text) {
        int node = 0;
        for (int i = 0; i < text.length() && node >= 0; i++) {
            node = step(node, text.charAt(i));
        }
        return node;
    }

    /** The value of the piece that ends at a node, or -1. */
    int value(int node) {
        return values[node];
    }

    private int grow(int node, char unit) {
        if (2 * nodes >= edges.length) {
            long[] oldEdges = edges;
            int[] oldTargets = targets;
            edges = new long[2 * oldEdges.length];
            targets = new int[edges.length];
            for (int i = 0; i < oldEdges.length; i++) {
                if (oldEdges[i] != 0) {
                    link(oldEdges[i], oldTargets[i]);
                }
            }
        }
        if (nodes == values.length) {
            values = Arrays.copyOf(values, 2 * nodes);
        }
        values[nodes] = -1;
        link(((long) node << 16 | unit) + 1, nodes);
        return nodes++;
    }

    private void link(long edge, int target) {
        int slot = slot(edge);
        while (edges[slot] != 0) {
            slot = slot + 1 & edges.length - 1;
        }
        edges[slot] = edge;
        targets[slot] = target;
    }

    private int slot(long edge) {
        long h = edge * 0x9E3779B97F4A7C15L;
        return (int) (h >>> 32 ^ h >>> 47) & edges.length - 1;
    }
}
