package poot.families.standard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import poot.api.model.ModelConfig.ToolFormat;
import poot.families.components.AttentionParams;
import poot.families.components.Embedding;
import poot.families.components.FeedForward;
import poot.families.components.Head;
import poot.families.components.Norm;
import poot.families.components.Residual;

/**
 * A decoder of the standard shape, every value checked.
 *
 * @param context       positions the model was made for
 * @param embedding     token ids to hidden states
 * @param layers        the layers, outermost first
 * @param norm          the final norm
 * @param head          hidden states to logits
 * @param endOfSequence ids that end a generation
 * @param tools         how the model writes tool calls
 */
public record StandardParams(
        int context, Embedding embedding, List<LayerParams> layers, Norm norm, Head head,
        SortedSet<Integer> endOfSequence, ToolFormat tools) {
    public StandardParams {
        Objects.requireNonNull(embedding);
        Objects.requireNonNull(norm);
        Objects.requireNonNull(head);
        Objects.requireNonNull(tools);
        layers = List.copyOf(layers);
        endOfSequence = Collections.unmodifiableSortedSet(new TreeSet<>(endOfSequence));
    }

    /** These parameters to change. */
    public Builder change() {
        Builder b = new Builder(embedding.vocabulary(), embedding.hidden(), context);
        b.embedding = embedding;
        b.layers.addAll(layers);
        b.norm = norm;
        b.head = head;
        b.endOfSequence = endOfSequence;
        b.tools = tools;
        return b;
    }

    /** A decoder to describe, with {@code layers} equal layers of pre-norm residuals and an untied head. */
    public static Builder of(
            int vocabulary, int hidden, int context, int layers, Norm norm, AttentionParams attention, FeedForward feedForward) {
        Builder b = new Builder(vocabulary, hidden, context);
        b.norm = norm;
        b.layers.addAll(Collections.nCopies(layers, new LayerParams(attention, feedForward, Residual.pre(norm))));
        return b;
    }

    /** A change of one layer. */
    @FunctionalInterface
    public interface LayerChange {
        /** The layer of that index, changed. */
        LayerParams apply(int index, LayerParams layer);
    }

    /** Collects the parameters of a decoder; each call changes what it names and keeps the rest. */
    public static final class Builder {
        private final int context;
        private Embedding embedding;
        private final List<LayerParams> layers = new ArrayList<>();
        private Norm norm;
        private Head head;
        private SortedSet<Integer> endOfSequence = new TreeSet<>();
        private ToolFormat tools = ToolFormat.NONE;

        private Builder(int vocabulary, int hidden, int context) {
            this.context = context;
            this.embedding = new Embedding(vocabulary, hidden, 1, Optional.empty());
            this.head = new Head(vocabulary, false, 1, 0);
        }

        /** Changes how every layer attends. */
        public Builder attention(UnaryOperator<AttentionParams> change) {
            return layers((i, l) -> l.attention(change));
        }

        /** Changes every layer's feed-forward. */
        public Builder feedForward(UnaryOperator<FeedForward> change) {
            return layers((i, l) -> l.feedForward(change));
        }

        /** Changes every layer's residual pair. */
        public Builder residual(UnaryOperator<Residual> change) {
            return layers((i, l) -> l.residual(change));
        }

        /** Changes the layers, each by its index. */
        public Builder layers(LayerChange change) {
            for (int i = 0; i < layers.size(); i++) {
                layers.set(i, change.apply(i, layers.get(i)));
            }
            return this;
        }

        /** Biases on every linear of attention and feed-forward. */
        public Builder bias(boolean attention, boolean feedForward) {
            return layers((i, l) -> l.attention(a -> a.withBias(attention, attention)).feedForward(f -> f.withBias(feedForward)));
        }

        /** Multiplies the embedding. */
        public Builder embeddingScale(double scale) {
            embedding = new Embedding(embedding.vocabulary(), embedding.hidden(), (float) scale, embedding.norm());
            return this;
        }

        /** Normalises the embedding. */
        public Builder embeddingNorm(Norm n) {
            embedding = new Embedding(embedding.vocabulary(), embedding.hidden(), embedding.scale(), Optional.of(n));
            return this;
        }

        /** Whether the embedding's weight is the head's. */
        public Builder tiedHead(boolean tied) {
            head = new Head(head.vocabulary(), tied, head.scale(), head.softcap());
            return this;
        }

        /** Multiplies the logits. */
        public Builder logitScale(double scale) {
            head = new Head(head.vocabulary(), head.tied(), (float) scale, head.softcap());
            return this;
        }

        /** Caps the logits; 0 for none. */
        public Builder logitSoftcap(double cap) {
            head = new Head(head.vocabulary(), head.tied(), head.scale(), (float) cap);
            return this;
        }

        /** A number added to the weights of every norm, those of queries and keys included. */
        public Builder normOffset(float offset) {
            norm = norm.withOffset(offset);
            return layers((i, l) -> l
                    .residual(r -> new Residual(r.placement(), r.norm().withOffset(offset), r.multiplier()))
                    .attention(a -> a.qkNorm().isEmpty() ? a
                            : a.withQkNorm(a.qkNorm().get().norm().withOffset(offset), a.qkNorm().get().span())));
        }

        /** Ids that end a generation. */
        public Builder endOfSequence(SortedSet<Integer> ids) {
            endOfSequence = ids;
            return this;
        }

        /** How the model writes tool calls. */
        public Builder tools(ToolFormat format) {
            tools = format;
            return this;
        }

        /** The norm of the layers. */
        public Norm norm() {
            return norm;
        }

        /** The finished parameters. */
        public StandardParams build() {
            return new StandardParams(context, embedding, layers, norm, head, endOfSequence, tools);
        }
    }
}
