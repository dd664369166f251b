package poot.core.kernel.plan;

import java.util.List;
import poot.api.graph.Shape;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.generate.move.Move;

/** Copies between layouts. */
final class Moving {
    private final Planning to;

    Moving(Planning to) {
        this.to = to;
    }

    /** All of a value. */
    void whole(Operand from, Operand out) {
        if (from.element() == out.element()) {
            to.copy(from.span(), out.span());
        } else {
            int[] dense = Strided.dense(out.shape());
            strided(from, dense, 0, out, dense, 0, out.shape(), 0);
        }
    }

    /**
     * The elements of {@code visited}: read from element {@code fromFirst} on by {@code fromStrides}, written likewise.
     *
     * @param company as in {@link Step.Call}
     */
    void strided(Operand from, int[] fromStrides, long fromFirst, Operand out, int[] outStrides, long outFirst, Shape visited, int company) {
        if (visited.count() == 0) {
            return;
        }
        Span source = from.span().from(fromFirst * from.element().bytes());
        Span target = out.span().from(outFirst * out.element().bytes());
        Strided at = Strided.of(visited, List.of(fromStrides, outStrides));
        boolean aligned = new Operand(source, from.element(), visited).beginsAtFour() && new Operand(target, out.element(), visited).beginsAtFour();
        int lanes = aligned && !at.splat(1) ? at.lanes() : 1;
        Move move = new Move(from.element(), out.element(), at, lanes);
        to.call(move, move.grid(to.limits()), company, source, target);
    }
}
