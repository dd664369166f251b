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
        addAll(more, 0, more.length);
    }

    void addAll(int[] more, int from, int to) {
        int count = to - from;
        if (size + count > items.length) {
            items = Arrays.copyOf(items, Math.max(2 * items.length, size + count));
        }
        System.arraycopy(more, from, items, size, count);
        size += count;
    }

    int size() {
        return size;
    }

    int get(int index) {
        return items[index];
    }

    void clear() {
        size = 0;
    }

    int[] toArray() {
        return Arrays.copyOf(items, size);
    }
}
