package poot.core.text.tokenizer;

/**
 * The ids of words met lately: a fixed table of immutable entries, one per slot, the newest winning. Threads may race
 * on a slot; the loser's entry is merely forgotten.
 */
final class WordCache {
    private static final int SLOTS = 1 << 15;
    /** The longest word remembered, in UTF-16 units. */
    static final int LONGEST = 48;

    private record Entry(char[] word, int[] ids) { }

    private final Entry[] entries = new Entry[SLOTS];

    /** The ids of text[from..to), or null where they are not remembered. */
    int[] get(char[] text, int from, int to) {
        if (to - from > LONGEST) {
            return null;
        }
        Entry e = entries[slot(text, from, to)];
        return e != null && java.util.Arrays.equals(e.word, 0, e.word.length, text, from, to) ? e.ids : null;
    }

    /** Remembers the ids of text[from..to). */
    void put(char[] text, int from, int to, int[] ids) {
        if (to - from <= LONGEST) {
            entries[slot(text, from, to)] = new Entry(java.util.Arrays.copyOfRange(text, from, to), ids);
        }
    }

    private static int slot(char[] text, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text[i];
        }
        hash *= 0x9E3779B9;
        return hash >>> 17;
    }
}
