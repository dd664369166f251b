package poot.backend.cpu.kernel.row;

import static poot.backend.cpu.kernel.Lanes.INT;

import java.lang.foreign.MemorySegment;
import poot.api.graph.ElementType;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/**
 * The k largest of each row of n, falling, equal values by rising index, NaN last. Every element becomes a 32-bit key
 * whose unsigned order is the wanted order; a heap of k keys serves k far below n, a radix sort of all keys the rest.
 */
public final class LargestK implements Step {
    /** A heap pays while k is below n over this. */
    private static final int HEAP_FRACTION = 16;

    private final int k;
    private final int n;
    private final long rows;
    private final boolean floats;
    private final Region x;
    private final Region values;
    private final Region indices;
    private final long[][] heaps;
    private final RadixOrder[] orders;
    private final Work body = this::range;

    /** x [rows, n] of F32 or I32 to values [rows, k] and indices I32 [rows, k]. */
    public LargestK(int k, int n, long rows, ElementType element, Region x, Region values, Region indices, int workers) {
        this.k = k;
        this.n = n;
        this.rows = rows;
        this.floats = element.isFloat();
        this.x = x;
        this.values = values;
        this.indices = indices;
        boolean heap = k <= n / HEAP_FRACTION;
        int busy = (int) Math.min(workers, rows);
        heaps = new long[heap ? busy : 0][k];
        orders = new RadixOrder[heap ? 0 : busy];
        for (int i = 0; i < orders.length; i++) {
            orders[i] = new RadixOrder(n);
        }
    }

    @Override
    public void run(Team team) {
        if (rows < team.size()) {
            range(0, 0, rows);
        } else {
            team.run(body, rows, 1);
        }
    }

    private void range(int worker, long from, long to) {
        for (long row = from; row < to; row++) {
            if (orders.length == 0) {
                select(heaps[worker], row);
            } else {
                int[] order = orders[worker].sort(this, row);
                for (int i = 0; i < k; i++) {
                    put(row, i, order[i]);
                }
            }
        }
    }

    /** The key of an element: unsigned, larger is better; NaN is 0; both zeros are equal. */
    int key(long row, int i) {
        int bits = x.segment().get(INT, x.offset() + 4 * (row * n + i));
        if (!floats) {
            return bits ^ Integer.MIN_VALUE;
        }
        if ((bits & 0x7fffffff) > 0x7f800000) {
            return 0;
        }
        int b = bits == Integer.MIN_VALUE ? 0 : bits;
        return b ^ (b >> 31 | Integer.MIN_VALUE);
    }

    /** A heap of the best so far, worst first: composite keys, the lower half falls with the index. */
    private void select(long[] heap, long row) {
        int size = 0;
        for (int i = 0; i < n; i++) {
            long composite = (long) (key(row, i) ^ Integer.MIN_VALUE) << 32 | (0xffffffffL - i);
            if (size < k) {
                heap[size++] = composite;
                if (size == k) {
                    for (int j = k / 2 - 1; j >= 0; j--) {
                        sink(heap, j, k);
                    }
                }
            } else if (composite > heap[0]) {
                heap[0] = composite;
                sink(heap, 0, k);
            }
        }
        for (int left = k - 1; left >= 0; left--) {
            long worst = heap[0];
            heap[0] = heap[left];
            sink(heap, 0, left);
            put(row, left, (int) (0xffffffffL - (worst & 0xffffffffL)));
        }
    }

    private static void sink(long[] heap, int from, int size) {
        int at = from;
        long moved = heap[at];
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= moved) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moved;
    }

    private void put(long row, int place, int index) {
        MemorySegment in = x.segment();
        values.segment().set(INT, values.offset() + 4 * (row * k + place), in.get(INT, x.offset() + 4 * (row * n + index)));
        indices.segment().set(INT, indices.offset() + 4 * (row * k + place), index);
    }
}
