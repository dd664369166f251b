package poot.backend.cpu.kernel.row;

import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.INT;

import java.lang.foreign.MemorySegment;
import poot.api.graph.ElementType;
import poot.api.graph.Op.ReduceKind;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/** Running reduction along one axis of an F32 or I32 tensor. Running F32 sums and products are kept in double. */
public final class Scan implements Step {
    private final ReduceKind kind;
    private final boolean exclusive;
    private final Axis axis;
    private final boolean floats;
    private final Region x;
    private final Region out;
    private final long grain;
    private final Work body = this::range;

    /** x seen along {@code axis} to out of the same shape. */
    public Scan(ReduceKind kind, boolean exclusive, Axis axis, ElementType element, Region x, Region out) {
        this.kind = kind;
        this.exclusive = exclusive;
        this.axis = axis;
        this.floats = element.isFloat();
        this.x = x;
        this.out = out;
        this.grain = Math.max(1, 8192 / Math.max(1, axis.n()));
    }

    @Override
    public void run(Team team) {
        team.run(body, axis.lines(), grain);
    }

    private void range(int worker, long from, long to) {
        for (long line = from; line < to; line++) {
            long at = 4 * axis.first(line);
            if (floats) {
                floats(x.segment(), x.offset() + at, out.segment(), out.offset() + at);
            } else {
                words(x.segment(), x.offset() + at, out.segment(), out.offset() + at);
            }
        }
    }

    private void floats(MemorySegment in, long at, MemorySegment result, long put) {
        double acc = Fold.identity(kind);
        long step = 4 * axis.inner();
        for (int i = 0; i < axis.n(); i++) {
            float v = in.get(FLOAT, at + i * step);
            double next = switch (kind) {
                case SUM -> acc + v;
                case PROD -> acc * v;
                case MAX -> v > acc ? v : acc;
                case MIN -> v < acc ? v : acc;
            };
            result.set(FLOAT, put + i * step, (float) (exclusive ? acc : next));
            acc = next;
        }
    }

    private void words(MemorySegment in, long at, MemorySegment result, long put) {
        int acc = Fold.wordIdentity(kind);
        long step = 4 * axis.inner();
        for (int i = 0; i < axis.n(); i++) {
            int next = Fold.apply(kind, acc, in.get(INT, at + i * step));
            result.set(INT, put + i * step, exclusive ? acc : next);
            acc = next;
        }
    }
}
