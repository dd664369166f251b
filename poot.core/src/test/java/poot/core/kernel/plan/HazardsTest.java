package poot.core.kernel.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import poot.api.graph.ElementType;
import poot.api.graph.Shape;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.generate.Strided;
import poot.core.kernel.generate.move.Move;
import poot.core.kernel.interpret.Fresh;
import poot.core.kernel.interpret.InterpretedDevice;

/** Steps wait where bytes say so, and nowhere else. */
class HazardsTest {
    private static final DeviceLimits LIMITS = InterpretedDevice.of(8, Fresh.ZEROED).limits();

    private static Step.Call move(Span from, Span to, int company) {
        int[] dense = Strided.dense(Shape.of(4));
        Move g = new Move(ElementType.F32, ElementType.F32, Strided.of(Shape.of(4), List.of(dense, dense)), 1);
        return new Step.Call(g, List.of(from, to), g.grid(LIMITS), company);
    }

    private static Span arena(long offset) {
        return new Span(Home.Area.ARENA, offset, 16);
    }

    private static List<Boolean> waits(Step... steps) {
        return Hazards.waits(List.of(steps), new Kernels(LIMITS, ProductPolicy.F32));
    }

    @Test
    void readingWhatWasWrittenWaits() {
        assertEquals(List.of(false, true), waits(move(arena(0), arena(64), 0), move(arena(64), arena(128), 0)));
    }

    @Test
    void overwritingWhatIsReadOrWrittenWaits() {
        assertEquals(List.of(false, true), waits(move(arena(0), arena(64), 0), move(arena(128), arena(0), 0)));
        assertEquals(List.of(false, true), waits(move(arena(0), arena(64), 0), new Step.Zero(arena(72))));
    }

    @Test
    void othersDoNot() {
        assertEquals(List.of(false, false, false, false), waits(move(arena(0), arena(64), 0), move(arena(0), arena(80), 0),
                move(new Span(new Home.State("a"), 0, 16), new Span(new Home.State("b"), 0, 16), 0), new Step.Copy(arena(0), arena(128))));
    }

    @Test
    void aWaitForgetsWhatWasBefore() {
        assertEquals(List.of(false, true, false), waits(move(arena(0), arena(64), 0), move(arena(64), arena(128), 0), move(arena(64), arena(192), 0)));
    }

    @Test
    void companyNeedsNoOrder() {
        assertEquals(List.of(false, false, true), waits(move(arena(0), arena(64), 7), move(arena(16), arena(72), 7), move(arena(16), arena(64), 8)));
    }
}
