package poot.core.text.tokenizer;

import java.util.Arrays;

/** A growing list of ints. */
final class IntList {
    private int[] items;
    private int size;

    IntList(int capacity) {
        items = new int[Math.max(8, capacity)];
    }

    void add(int item) {
        if (size == items.length) {
            items = Arrays.copyOf(items, 2 * size);
        }
        items[size++] = item;
    }

    void addAll(int[] more) {
        if (size + more.length > items.length) {
            items = Arrays.copyOf(items, Math.max(2 * items.length, size + more.length));
        }
        System.arraycopy(more, 0, items, size, more.length);
        size += more.length;
    }

    int size() {
        return size;
    }

    int get(int index) {
        return items[index];
    }

    /** The items from an index on. */
    int[] from(int index) {
        return Arrays.copyOfRange(items, index, size);
    }

    int[] toArray() {
        return Arrays.copyOf(items, size);
    }
}
