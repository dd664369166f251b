package poot.families;

import java.util.Objects;
import poot.families.components.AttentionParams;
import poot.families.components.FeedForward;
import poot.families.components.Norm;

/**
 * A bidirectional encoder.
 *
 * @param vocabulary  number of token ids: V
 * @param positions   number of learned positions: P
 * @param types       number of token types: Y
 * @param context     positions the encoder was made for, at most {@code positions}
 * @param hidden      hidden features: E
 * @param layers      number of layers
 * @param attention   how every layer attends
 * @param feedForward every layer's feed-forward
 * @param norm        the norms, each after a residual sum
 * @param result      what becomes of the last hidden states
 */
record EncoderParams(
        int vocabulary, int positions, int types, int context, int hidden, int layers, AttentionParams attention,
        FeedForward feedForward, Norm norm, Result result) {
    EncoderParams {
        Objects.requireNonNull(attention);
        Objects.requireNonNull(feedForward);
        Objects.requireNonNull(norm);
        Objects.requireNonNull(result);
    }

    /** What an encoder returns of a row. */
    sealed interface Result {
        /** One embedding: the mean over the real tokens or the first token; scaled to unit length if {@code normalised}. */
        record Pooled(boolean mean, boolean normalised) implements Result {}

        /** One score: the first token through a tanh layer and a linear of one output. */
        record Scored() implements Result {}
    }
}
