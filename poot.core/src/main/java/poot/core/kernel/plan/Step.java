package poot.core.kernel.plan;

import java.util.List;
import java.util.Objects;
import poot.core.kernel.device.Grid;
import poot.core.kernel.generate.Generator;

/** One thing a device is told to do. */
public sealed interface Step {
    /**
     * Runs a kernel.
     *
     * @param actuals one for each parameter
     * @param company steps of the same number above 0 write different bytes of the spans they name, and need no order
     */
    record Call(Generator generator, List<Actual> actuals, Grid grid, int company) implements Step {
        public Call {
            Objects.requireNonNull(generator);
            Objects.requireNonNull(grid);
            actuals = List.copyOf(actuals);
        }
    }

    /** Copies bytes, whole words. */
    record Copy(Span from, Span to) implements Step {
        public Copy {
            if (from.bytes() != to.bytes()) {
                throw new IllegalArgumentException("a copy of " + from + " to " + to);
            }
        }
    }

    /** Zeroes bytes, whole words. */
    record Zero(Span to) implements Step {}
}
