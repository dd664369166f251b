package poot.core.kernel.generate.product;

import poot.api.graph.Composite;
import poot.api.graph.ElementType;

/**
 * The root mean square normalisation of the rows that a product takes: {@code x / sqrt(mean(x²) + eps) · (w + offset)}.
 *
 * @param weight element type of w: a float
 */
public record Normed(float eps, float offset, ElementType weight) {
    /** A norm of the graph. */
    public static Normed of(Composite.RmsNorm n, ElementType weight) {
        return new Normed(n.eps(), n.offset(), weight);
    }
}
