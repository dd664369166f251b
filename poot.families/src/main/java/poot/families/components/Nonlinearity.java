package poot.families.components;

import java.util.List;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.Composite.Activation;
import poot.api.graph.Op.UnaryKind;
import poot.api.graph.TraceException;
import poot.api.graph.Value;

/** The pointwise nonlinearities, alone or as a gate. */
public final class Nonlinearity {
    private Nonlinearity() {}

    /** activation(x). */
    public static Value activate(Builder b, Activation a, Value x /* [..] */) throws TraceException {
        return b.composite(new Composite.Activate(a), List.of(x), (body, in) -> body(body, a, in.get(0)));
    }

    /** activation(gate) · up (Shazeer 2020). */
    public static Value gate(Builder b, Activation a, Value gate /* [.., F] */, Value up /* [.., F] */) throws TraceException {
        return b.composite(new Composite.Gated(a), List.of(gate, up),
                (body, in) -> body.mul(body(body, a, in.get(0)), in.get(1)));
    }

    private static Value body(Builder b, Activation a, Value x) throws TraceException {
        return switch (a) {
            case SILU -> b.div(x, b.add(b.exp(b.neg(x)), 1f));
            case RELU -> b.max(x, b.scalar(0f));
            case GELU_ERF -> {
                Value erf = b.unary(UnaryKind.ERF, b.mul(x, (float) Math.sqrt(0.5)));
                yield b.mul(b.mul(x, 0.5f), b.add(erf, 1f));
            }
            case GELU_TANH -> {
                Value cube = b.mul(b.mul(b.square(x), x), 0.044715f);
                Value tanh = b.tanh(b.mul(b.add(x, cube), (float) Math.sqrt(2 / Math.PI)));
                yield b.mul(b.mul(x, 0.5f), b.add(tanh, 1f));
            }
        };
    }
}
