package poot.backend.cpu;

import java.util.Optional;
import poot.api.executor.Target;
import poot.api.graph.Composite;
import poot.api.graph.Equation;
import poot.api.graph.Format;

/** The CPU runs every operation, reads every format, and has kernels for the composites named here. */
final class CpuTarget implements Target {
    @Override
    public String name() {
        return "cpu";
    }

    @Override
    public boolean claims(Composite composite) {
        return switch (composite) {
            case Composite.RmsNorm n -> true;
            case Composite.LayerNorm n -> true;
            case Composite.Rope r -> true;
            case Composite.Attention a -> true;
            case Composite.FullAttention a -> true;
            case Composite.Gated g -> true;
            case Composite.Activate a -> true;
        };
    }

    @Override
    public Optional<String> refusal(Equation equation) {
        return Optional.empty();
    }

    @Override
    public boolean reads(Format format) {
        return true;
    }
}
