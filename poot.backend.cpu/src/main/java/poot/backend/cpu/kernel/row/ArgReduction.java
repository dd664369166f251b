package poot.backend.cpu.kernel.row;

import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.INT;

import java.lang.foreign.MemorySegment;
import poot.api.graph.ElementType;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Work;

/** Index of the first largest or smallest element of one axis. NaN never wins; of NaN alone the index is 0. */
public final class ArgReduction implements Ranged {
    private final boolean largest;
    private final Axis axis;
    private final boolean floats;
    private final Region x;
    private final Region out;
    private final long grain;
    private final Work body = this::range;

    /** x seen along {@code axis}, of F32 or I32, to I32 out. */
    public ArgReduction(boolean largest, Axis axis, ElementType element, Region x, Region out) {
        this.largest = largest;
        this.axis = axis;
        this.floats = element.isFloat();
        this.x = x;
        this.out = out;
        this.grain = Math.max(1, 16384 / Math.max(1, axis.n()));
    }

    @Override
    public long items() {
        return axis.lines();
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
        MemorySegment in = x.segment();
        for (long line = from; line < to; line++) {
            long at = x.offset() + 4 * axis.first(line);
            int best = !floats ? words(in, at) : axis.inner() == 1 ? row(in, at) : column(in, at);
            out.segment().set(INT, out.offset() + 4 * line, best);
        }
    }

    /** The extreme first, by vectors; then where it stands first. Of infinities of the wrong side alone: the first. */
    private int row(MemorySegment in, long at) {
        float best = largest ? RowMath.largest(in, at, axis.n()) : RowMath.smallest(in, at, axis.n());
        for (int i = 0; i < axis.n(); i++) {
            if (in.get(FLOAT, at + 4L * i) == best) {
                return i;
            }
        }
        return 0;
    }

    private int column(MemorySegment in, long at) {
        int best = 0;
        float value = in.get(FLOAT, at);
        long step = 4 * axis.inner();
        for (int i = 1; i < axis.n(); i++) {
            float v = in.get(FLOAT, at + i * step);
            if (value != value ? v == v : largest ? v > value : v < value) {
                best = i;
                value = v;
            }
        }
        return best;
    }

    private int words(MemorySegment in, long at) {
        int best = 0;
        int value = in.get(INT, at);
        long step = 4 * axis.inner();
        for (int i = 1; i < axis.n(); i++) {
            int v = in.get(INT, at + i * step);
            if (largest ? v > value : v < value) {
                best = i;
                value = v;
            }
        }
        return best;
    }
}
