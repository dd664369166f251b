package poot.core.text.tokenizer;

import java.util.Arrays;

/**
 * The ids of words met lately: a fixed table of immutable entries, one per slot, the newest winning. Threads may race
 * on a slot; the loser's entry is merely forgotten.
 */
final class WordCache {
    private static final int SLOTS = 1 << 15;
    private static final int LONGEST = 48;

    private record Entry(char[] word, int[] ids) { }

    private final Entry[] entries = new Entry[SLOTS];

    /** Appends the ids of text[from..to); false where they are not remembered. */
    boolean recall(char[] text, int from, int to, IntList out) {
        if (to - from > LONGEST) {
            return false;
        }
        Entry e = entries[slot(text, from, to)];
        boolean known = e != null && Arrays.equals(e.word, 0, e.word.length, text, from, to);
        if (known) {
            out.addAll(e.ids);
        }
        return known;
    }

    /** Remembers that the ids of text[from..to) are those from {@code begin} on. */
    void remember(char[] text, int from, int to, IntList ids, int begin) {
        if (to - from <= LONGEST) {
            entries[slot(text, from, to)] = new Entry(Arrays.copyOfRange(text, from, to), ids.from(begin));
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
