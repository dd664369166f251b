package poot.families.components;

import java.util.Objects;
import poot.api.graph.Composite.Activation;
import poot.api.graph.TraceException;
import poot.api.graph.Value;

/** The position-wise part of a layer. */
public sealed interface FeedForward {
    /** Features between the two projections. */
    int width();

    /** This feed-forward with or without biases on every projection. */
    FeedForward withBias(boolean biased);

    /** Whether every projection has a bias. */
    boolean biased();

    /** Traces it at a scope: [R, T, E] to [R, T, E]. */
    Value trace(Site at, Value x) throws TraceException;

    /** down(activation(gate(x)) · up(x)). */
    record Gated(int width, Activation activation, boolean biased) implements FeedForward {
        public Gated {
            Objects.requireNonNull(activation);
        }

        @Override
        public FeedForward withBias(boolean b) {
            return new Gated(width, activation, b);
        }

        @Override
        public Value trace(Site at, Value x /* [R, T, E] */) throws TraceException {
            Value gate = Linear.linear(at.in("gate"), x, width, biased);              // [R, T, F]
            Value up = Linear.linear(at.in("up"), x, width, biased);                  // [R, T, F]
            Value y = Nonlinearity.gate(at.b(), activation, gate, up);                // [R, T, F]
            return Linear.linear(at.in("down"), y, x.shape().dim(-1), biased);        // [R, T, E]
        }
    }

    /** down(activation(up(x))). */
    record Plain(int width, Activation activation, boolean biased) implements FeedForward {
        public Plain {
            Objects.requireNonNull(activation);
        }

        @Override
        public FeedForward withBias(boolean b) {
            return new Plain(width, activation, b);
        }

        @Override
        public Value trace(Site at, Value x /* [R, T, E] */) throws TraceException {
            Value up = Linear.linear(at.in("up"), x, width, biased);                  // [R, T, F]
            Value y = Nonlinearity.activate(at.b(), activation, up);                  // [R, T, F]
            return Linear.linear(at.in("down"), y, x.shape().dim(-1), biased);        // [R, T, E]
        }
    }
}
