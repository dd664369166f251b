package poot.backend.cpu.kernel.move;

import static poot.backend.cpu.kernel.Lanes.INT;

import java.lang.foreign.MemorySegment;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Work;

/** Rows of a dense value by index; an index outside gives zeros. */
public final class RowGather implements Ranged {
    private final Region data;
    private final Region indices;
    private final Region out;
    private final int rows;
    private final long count;
    private final long bytes;
    private final long grain;
    private final Work body = this::range;

    /** data [rows, ..] with rows of {@code bytes} bytes, indices I32 [count], to out [count, ..]. */
    public RowGather(Region data, Region indices, Region out, int rows, long count, long bytes) {
        this.data = data;
        this.indices = indices;
        this.out = out;
        this.rows = rows;
        this.count = count;
        this.bytes = bytes;
        this.grain = Math.max(1, 65536 / Math.max(1, bytes));
    }

    @Override
    public long items() {
        return bytes == 0 ? 0 : count;
    }

    @Override
    public long grain() {
        return grain;
    }

    @Override
    public Work body() {
        return body;
    }

    private void range(int worker, long from, long to) {
        for (long i = from; i < to; i++) {
            int row = indices.segment().get(INT, indices.offset() + 4 * i);
            long put = out.offset() + i * bytes;
            if (row >= 0 && row < rows) {
                MemorySegment.copy(data.segment(), data.offset() + row * bytes, out.segment(), put, bytes);
            } else {
                Zeros.put(out.segment(), put, bytes);
            }
        }
    }
}
