package poot.backend.cpu.kernel.row;

import static poot.backend.cpu.kernel.Lanes.COUNT;
import static poot.backend.cpu.kernel.Lanes.F32;
import static poot.backend.cpu.kernel.Lanes.FLOAT;
import static poot.backend.cpu.kernel.Lanes.INT;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import poot.api.graph.ElementType;
import poot.api.graph.Op.ReduceKind;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.kernel.Ranged;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.work.Work;

/** Reduction of one axis of an F32 or I32 tensor to extent 1. */
public final class Reduction implements Ranged {
    private final ReduceKind kind;
    private final Axis axis;
    private final boolean floats;
    private final Region x;
    private final Region out;
    private final long grain;
    private final Work body = this::range;

    /** x seen along {@code axis}, of F32 or I32, to out. */
    public Reduction(ReduceKind kind, Axis axis, ElementType element, Region x, Region out) {
        this.kind = kind;
        this.axis = axis;
        this.floats = element.isFloat();
        this.x = x;
        this.out = out;
        this.grain = Math.max(COUNT, 16384 / Math.max(1, axis.n()));
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
        MemorySegment result = out.segment();
        for (long line = from; line < to; line++) {
            long at = x.offset() + 4 * axis.first(line);
            long put = out.offset() + 4 * line;
            if (!floats) {
                result.set(INT, put, words(in, at));
            } else if (axis.inner() == 1) {
                result.set(FLOAT, put, row(in, at));
            } else if (line % axis.inner() + COUNT <= axis.inner() && line + COUNT <= to) {
                columns(in, at, result, put);
                line += COUNT - 1;
            } else {
                result.set(FLOAT, put, column(in, at));
            }
        }
    }

    private float row(MemorySegment in, long at) {
        return switch (kind) {
            case SUM -> RowMath.sum(in, at, axis.n());
            case MAX -> RowMath.largest(in, at, axis.n());
            case MIN -> RowMath.smallest(in, at, axis.n());
            case PROD -> column(in, at);
        };
    }

    /** As many neighbouring lines as there are lanes. */
    private void columns(MemorySegment in, long at, MemorySegment result, long put) {
        FloatVector acc = FloatVector.broadcast(F32, Fold.identity(kind));
        long step = 4 * axis.inner();
        for (int i = 0; i < axis.n(); i++) {
            FloatVector v = Lanes.load(in, at + i * step);
            acc = switch (kind) {
                case SUM -> acc.add(v);
                case PROD -> acc.mul(v);
                case MAX -> acc.blend(v, v.compare(VectorOperators.GT, acc));
                case MIN -> acc.blend(v, v.compare(VectorOperators.LT, acc));
            };
        }
        acc.intoMemorySegment(result, put, Lanes.LITTLE);
    }

    private float column(MemorySegment in, long at) {
        float acc = Fold.identity(kind);
        long step = 4 * axis.inner();
        for (int i = 0; i < axis.n(); i++) {
            acc = Fold.apply(kind, acc, in.get(FLOAT, at + i * step));
        }
        return acc;
    }

    private int words(MemorySegment in, long at) {
        int acc = Fold.wordIdentity(kind);
        long step = 4 * axis.inner();
        for (int i = 0; i < axis.n(); i++) {
            acc = Fold.apply(kind, acc, in.get(INT, at + i * step));
        }
        return acc;
    }
}
