package poot.backend.cpu.kernel.move;

import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.INT;

import java.lang.foreign.MemorySegment;
import poot.api.graph.ElementType;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/** Rows of a value replaced or added to, in place; an index outside is dropped. An item is an update. */
public final class Scatter implements Ranged {
    private final Region target;
    private final Region indices;
    private final Region updates;
    private final int rows;
    private final long count;
    private final long unit;
    private final ElementType element;
    private final boolean add;
    private final long grain;
    private final Work body = this::replace;

    /** target [rows, unit], indices I32 [count], updates [count, unit]. */
    public Scatter(
            Region target, Region indices, Region updates, int rows, long count, long unit, ElementType element, boolean add) {
        this.target = target;
        this.indices = indices;
        this.updates = updates;
        this.rows = rows;
        this.count = count;
        this.unit = unit;
        this.element = element;
        this.add = add;
        this.grain = Math.max(1, 65536 / Math.max(1, unit * element.bytes()));
    }

    @Override
    public void run(Team team) {
        if (add) {
            add();
        } else {
            team.run(body, items(), grain);
        }
    }

    /** Of a scatter that replaces; one that adds runs whole. */
    @Override
    public long items() {
        return unit == 0 ? 0 : count;
    }

    @Override
    public long grain() {
        return grain;
    }

    @Override
    public Work body() {
        return body;
    }

    private int row(long i) {
        return indices.segment().get(INT, indices.offset() + 4 * i);
    }

    private void replace(int worker, long from, long to) {
        long bytes = unit * element.bytes();
        for (long i = from; i < to; i++) {
            int row = row(i);
            if (row >= 0 && row < rows) {
                MemorySegment.copy(
                        updates.segment(), updates.offset() + i * bytes, target.segment(), target.offset() + row * bytes, bytes);
            }
        }
    }

    /** One thread: the same row may come again, and the order of F32 additions is part of the result. */
    private void add() {
        MemorySegment to = target.segment();
        MemorySegment from = updates.segment();
        for (long i = 0; i < count; i++) {
            int row = row(i);
            if (row < 0 || row >= rows) {
                continue;
            }
            long put = target.offset() + 4 * row * unit;
            long at = updates.offset() + 4 * i * unit;
            for (long u = 0; u < unit; u++, put += 4, at += 4) {
                if (element.isFloat()) {
                    to.set(FLOAT, put, to.get(FLOAT, put) + from.get(FLOAT, at));
                } else {
                    to.set(INT, put, to.get(INT, put) + from.get(INT, at));
                }
            }
        }
    }
}
