package poot.core.kernel.plan;

import java.util.Objects;
import poot.core.kernel.device.Argument;

/** What a parameter of a kernel stands for: bytes, or a number. */
public sealed interface Actual permits Span, Actual.Scalar {
    /** A number. */
    record Scalar(Argument value) implements Actual {
        public Scalar {
            Objects.requireNonNull(value);
            if (value instanceof Argument.Memory) {
                throw new IllegalArgumentException("memory is a Span");
            }
        }
    }
}
