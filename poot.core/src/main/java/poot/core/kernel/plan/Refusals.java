package poot.core.kernel.plan;

import java.util.Optional;
import poot.api.graph.Composite;
import poot.api.graph.Equation;
import poot.api.graph.Format;
import poot.api.graph.Op;
import poot.api.graph.Value;

/** What devices have kernels for: composites of their own, equations, formats. */
public final class Refusals {
    /** Elements of the largest value. */
    static final long LARGEST = 1L << 31;

    private Refusals() {}

    /** Whether a composite has a kernel of its own. */
    public static boolean claims(Composite composite) {
        return switch (composite) {
            case Composite.RmsNorm n -> true;
            case Composite.LayerNorm n -> true;
            case Composite.Rope r -> true;
            case Composite.Attention a -> true;
            case Composite.FullAttention a -> true;
            case Composite.Gated g -> false;
            case Composite.Activate a -> false;
        };
    }

    /** Whether a format is read as stored. */
    public static boolean reads(Format format) {
        return true;
    }

    /** Why an equation has no kernel; empty where it has. */
    public static Optional<String> of(Equation e) {
        for (Value v : e.outputs()) {
            if (v.shape().count() > LARGEST) {
                return Optional.of("values of more than 2^31 elements");
            }
        }
        return switch (e.op()) {
            case Op.Composed c -> claims(c.composite()) ? Optional.empty() : Optional.of("a kernel of its own for " + c.composite().name());
            default -> Optional.empty();
        };
    }
}
