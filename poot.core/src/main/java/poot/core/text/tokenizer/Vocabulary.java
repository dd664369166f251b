package poot.core.text.tokenizer;

import java.util.List;

/**
 * Pieces and their ids, both ways, immutable once filled. Ids may have holes; lookups take a range of characters so
 * that encoding allocates nothing.
 */
final class Vocabulary {
    private final String[] byId;
    private final String[] keys;     // open addressing, a power of two long
    private final int[] ids;
    private int longest;
    private int count;

    /** Room for the given number of pieces with ids below {@code limit}. */
    Vocabulary(int pieces, int limit) {
        byId = new String[limit];
        int slots = Integer.highestOneBit(Math.max(8, pieces)) * 4;
        keys = new String[slots];
        ids = new int[slots];
    }

    /** A vocabulary of pieces whose ids are their places; null marks a hole. */
    static Vocabulary of(List<String> pieces) {
        Vocabulary v = new Vocabulary(pieces.size(), pieces.size());
        for (int i = 0; i < pieces.size(); i++) {
            if (pieces.get(i) != null) {
                v.put(pieces.get(i), i);
            }
        }
        return v;
    }

    /** Adds a piece; false if the piece or the id is taken. */
    boolean put(String piece, int id) {
        if (byId[id] != null) {
            return false;
        }
        int slot = slot(piece.hashCode());
        for (; keys[slot] != null; slot = slot + 1 & keys.length - 1) {
            if (keys[slot].equals(piece)) {
                return false;
            }
        }
        keys[slot] = piece;
        ids[slot] = id;
        byId[id] = piece;
        longest = Math.max(longest, piece.length());
        count++;
        return true;
    }

    /** The id of a piece, or -1. */
    int id(String piece) {
        for (int slot = slot(piece.hashCode()); keys[slot] != null; slot = slot + 1 & keys.length - 1) {
            if (keys[slot].equals(piece)) {
                return ids[slot];
            }
        }
        return -1;
    }

    /** The id of the piece text[from..to), or -1. */
    int id(char[] text, int from, int to) {
        int length = to - from;
        if (length > longest) {
            return -1;
        }
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text[i];
        }
        for (int slot = slot(hash); keys[slot] != null; slot = slot + 1 & keys.length - 1) {
            if (keys[slot].length() == length && same(keys[slot], text, from)) {
                return ids[slot];
            }
        }
        return -1;
    }

    /** The piece of an id, or null where there is none. */
    String piece(int id) {
        return id >= 0 && id < byId.length ? byId[id] : null;
    }

    /** One more than the largest id there is room for. */
    int limit() {
        return byId.length;
    }

    /** The number of pieces. */
    int count() {
        return count;
    }

    /** The length of the longest piece, in UTF-16 units. */
    int longest() {
        return longest;
    }

    private int slot(int hash) {
        return (hash * 0x9E3779B9 >>> 7 ^ hash) & keys.length - 1;
    }

    private static boolean same(String key, char[] text, int from) {
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) != text[from + i]) {
                return false;
            }
        }
        return true;
    }
}
