package poot.families.components;

import java.util.Objects;
import poot.api.graph.Builder;
import poot.api.graph.TraceException;
import poot.api.graph.Value;

/**
 * The residual pair of a layer: how norms sit around the mixer and the feed-forward.
 *
 * @param placement  where the norms sit
 * @param norm       the norms
 * @param multiplier scales what each block adds; 1 for none
 */
public record Residual(Placement placement, Norm norm, float multiplier) {
    /** Where the norms of a layer sit; f is the mixer, then the feed-forward. */
    public enum Placement {
        /** x + f(norm(x)). */
        PRE,
        /** x + norm(f(x)). */
        POST,
        /** x + post_norm(f(norm(x))). */
        SANDWICH,
        /** norm(x + f(x)), the first transformer's. */
        AFTER,
        /** x + mixer(norm(x)) + feed_forward(norm'(x)). */
        PARALLEL,
        /** x + mixer(n) + feed_forward(n), n = norm(x). */
        PARALLEL_SHARED
    }

    public Residual {
        Objects.requireNonNull(placement);
        Objects.requireNonNull(norm);
    }

    /** A layer with norms before its blocks. */
    public static Residual pre(Norm norm) {
        return new Residual(Placement.PRE, norm, 1);
    }

    /** This pair with its norms elsewhere. */
    public Residual with(Placement p) {
        return new Residual(p, norm, multiplier);
    }

    /** This pair with every addition scaled. */
    public Residual withMultiplier(double m) {
        return new Residual(placement, norm, (float) m);
    }

    /** One layer: the mixer in scope {@code attention}, then the feed-forward in scope {@code feed_forward}. */
    public Value standardLayer(Site layer, Value x /* [R, T, E] */, Block mixer, Block feedForward) throws TraceException {
        Site first = layer.in("attention");
        Site second = layer.in("feed_forward");
        return switch (placement) {
            case PRE, POST, SANDWICH, AFTER -> around(second, around(first, x, mixer), feedForward);
            case PARALLEL -> {
                Value m = traced(first, norm.apply(first.in("norm"), x), mixer);      // [R, T, E]
                Value f = traced(second, norm.apply(second.in("norm"), x), feedForward);
                yield add(layer.b(), add(layer.b(), x, m), f);
            }
            case PARALLEL_SHARED -> {
                Value n = norm.apply(first.in("norm"), x);                            // [R, T, E]
                Value m = traced(first, n, mixer);                                    // [R, T, E]
                yield add(layer.b(), add(layer.b(), x, m), traced(second, n, feedForward));
            }
        };
    }

    private Value around(Site at, Value x, Block f) throws TraceException {
        return switch (placement) {
            case POST -> add(at.b(), x, norm.apply(at.in("post_norm"), traced(at, x, f)));
            case AFTER -> norm.apply(at.in("post_norm"), add(at.b(), x, traced(at, x, f)));
            case SANDWICH -> {
                Value y = traced(at, norm.apply(at.in("norm"), x), f);                // [R, T, E]
                yield add(at.b(), x, norm.apply(at.in("post_norm"), y));
            }
            case PRE, PARALLEL, PARALLEL_SHARED -> add(at.b(), x, traced(at, norm.apply(at.in("norm"), x), f));
        };
    }

    private static Value traced(Site at, Value x, Block f) throws TraceException {
        try (Builder.Scope _ = at.b().scope(at.path())) {
            return f.trace(at, x);
        }
    }

    private Value add(Builder b, Value x, Value y) throws TraceException {
        return b.add(x, multiplier == 1 ? y : b.mul(y, multiplier));
    }
}
