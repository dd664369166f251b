package poot.core.text.tokenizer;

import java.util.Arrays;

/** A binary heap of longs, smallest first. */
final class MergeQueue {
    private long[] heap;
    private int size;

    MergeQueue(int capacity) {
        heap = new long[Math.max(16, capacity)];
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(long item) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        int at = size++;
        while (at > 0) {
            int parent = at - 1 >>> 1;
            if (heap[parent] <= item) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = item;
    }

    long poll() {
        long top = heap[0];
        long item = heap[--size];
        int at = 0;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= item) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = item;
        return top;
    }
}
