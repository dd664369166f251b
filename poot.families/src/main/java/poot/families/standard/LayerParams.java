package poot.families.standard;

import java.util.Objects;
import java.util.function.UnaryOperator;
import poot.families.components.AttentionParams;
import poot.families.components.FeedForward;
import poot.families.components.Residual;

/** One layer: how it attends, its feed-forward, and the residual pair around them. */
public record LayerParams(AttentionParams attention, FeedForward feedForward, Residual residual) {
    public LayerParams {
        Objects.requireNonNull(attention);
        Objects.requireNonNull(feedForward);
        Objects.requireNonNull(residual);
    }

    /** This layer attending otherwise. */
    public LayerParams attention(UnaryOperator<AttentionParams> change) {
        return new LayerParams(change.apply(attention), feedForward, residual);
    }

    /** This layer with another feed-forward. */
    public LayerParams feedForward(UnaryOperator<FeedForward> change) {
        return new LayerParams(attention, change.apply(feedForward), residual);
    }

    /** This layer with another residual pair. */
    public LayerParams residual(UnaryOperator<Residual> change) {
        return new LayerParams(attention, feedForward, change.apply(residual));
    }
}
