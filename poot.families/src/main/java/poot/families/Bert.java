package poot.families;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.graph.Composite.Activation;
import poot.api.model.ConfigException;
import poot.api.model.ConfigSource;
import poot.api.model.FamilyEntry;
import poot.api.model.FamilyKey;
import poot.api.model.LoadException;
import poot.api.model.ModelParts;
import poot.api.model.RawConfig;
import poot.api.model.WeightMap;
import poot.api.model.WeightStore;
import poot.families.EncoderParams.Result;
import poot.families.components.AttentionParams;
import poot.families.components.AttentionParams.Heads;
import poot.families.components.FeedForward;
import poot.families.components.Norm;
import poot.families.standard.Field;
import poot.families.standard.Fields;
import poot.families.standard.Refusals;
import poot.families.standard.WeightNames;

/**
 * BERT (Devlin et al. 2019) as a sentence encoder or a cross-encoder of one label. How tokens become an embedding is
 * said by the sentence-transformers files beside a Hugging Face configuration (without them: their mean), or by a
 * GGUF's {@code pooling_type}. A GGUF names no nonlinearity and stands for the tanh form of GELU.
 */
final class Bert {
    private static final String NAME = "bert";

    private Bert() {}

    /** The family's row in the registry. */
    static FamilyEntry entry() {
        return new FamilyEntry(NAME, List.of(FamilyKey.hf("bert"), FamilyKey.gguf("bert")), Bert::build);
    }

    private static ModelParts build(RawConfig c, WeightStore store) throws LoadException {
        EncoderParams p = configure(Fields.of(c));
        Refusals.unreadKeys(c);
        WeightNames names = spelled(WeightNames.of(c.source(), store));
        names.requireLayers(p.layers());
        WeightMap map = names.map(EncoderModel.roles(p));
        Refusals.unreadTensors(store.names(), map, tensor -> c.source() == ConfigSource.HF && isTrainingHead(tensor));
        return ModelParts.of(EncoderModel.of(NAME, p, map));
    }

    private static EncoderParams configure(Fields f) throws ConfigException {
        return f.isGguf() ? fromGguf(f) : fromHf(f);
    }

    private static EncoderParams fromGguf(Fields f) throws ConfigException {
        RawConfig c = f.config();
        if (c.flag(f.gguf("attention.causal"), false)) {
            throw c.unsupported(f.gguf("attention.causal"), "the encoder attends in both directions");
        }
        String pooling = f.gguf("pooling_type");
        Result result = switch (c.integer(pooling, 0, 4)) {
            case 1 -> new Result.Pooled(true, false);
            case 2 -> new Result.Pooled(false, false);
            case 4 -> new Result.Scored();
            default -> throw c.unsupported(pooling, "the poolings are 1 (mean), 2 (first token), 4 (score)");
        };
        String labels = f.gguf("classifier.output_labels");
        if (c.has(labels) && c.list(labels).size() != 1) {
            throw c.unsupported(labels, "a cross-encoder has one label");
        }
        int types = c.integer("tokenizer.ggml.token_type_count", 1, Fields.MAX_EXTENT, 2);
        return encoder(f, Activation.GELU_TANH, types, f.context(), result);
    }

    private static EncoderParams fromHf(Fields f) throws ConfigException {
        RawConfig c = f.config();
        f.require("is_decoder", false, "the encoder attends in both directions");
        f.require("add_cross_attention", false, "there is no second input");
        if (!c.text("position_embedding_type", "absolute").equals("absolute")) {
            throw c.unsupported("position_embedding_type", "positions are learned and absolute");
        }
        f.inert("directionality", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers",
                "pooler_size_per_head", "pooler_type", "sentence_transformers", "sbert_ce_default_activation_function",
                "num_labels", "tie_word_embeddings");
        Activation activation = f.activation("hidden_act", Optional.of(Activation.GELU_ERF));
        int types = c.integer("type_vocab_size", 1, Fields.MAX_EXTENT, 2);
        Optional<RawConfig> sentences = c.companion("sentence_bert_config.json");
        int context = sentences.isEmpty() ? f.context()
                : Math.min(f.context(), sentences.get().integer("max_seq_length", 1, Fields.MAX_TOKENS, f.context()));
        return encoder(f, activation, types, context, isClassifier(c) ? scored(c) : SentencePooling.read(c, f.extent(Field.HIDDEN)));
    }

    private static EncoderParams encoder(Fields f, Activation activation, int types, int context, Result result)
            throws ConfigException {
        Heads h = f.heads();
        return new EncoderParams(f.vocabulary(), f.context(), types, context, f.extent(Field.HIDDEN), f.layers(),
                AttentionParams.of(h.query(), h.groups(), h.dim()).withBias(true, true),
                new FeedForward.Plain(f.extent(Field.FEED_FORWARD), activation, true),
                Norm.layer(f.epsilon(Field.LAYER_EPS), true), result);
    }

    private static boolean isClassifier(RawConfig c) throws ConfigException {
        return c.has("architectures") && c.list("architectures").contains("BertForSequenceClassification");
    }

    private static Result scored(RawConfig c) throws ConfigException {
        int labels = c.raw("id2label") instanceof Map<?, ?> named ? named.size() : c.integer("num_labels", 1, Fields.MAX_EXTENT, 2);
        if (labels != 1) {
            throw c.unsupported(c.has("id2label") ? "id2label" : "num_labels", "a cross-encoder has one label, not " + labels);
        }
        return new Result.Scored();
    }

    private static WeightNames spelled(WeightNames names) {
        return names.hf("embedding", "embeddings.word_embeddings").hf("embedding_norm", "embeddings.LayerNorm")
                .hf("embedding_positions", "embeddings.position_embeddings").gguf("embedding_positions", "position_embd")
                .hf("embedding_types", "embeddings.token_type_embeddings").gguf("embedding_types", "token_types")
                .hf("attention.query", "attention.self.query").hf("attention.key", "attention.self.key")
                .hf("attention.value", "attention.self.value").hf("attention.output", "attention.output.dense")
                .hf("attention.post_norm", "attention.output.LayerNorm").gguf("attention.post_norm", "attn_output_norm")
                .hf("feed_forward.up", "intermediate.dense").hf("feed_forward.down", "output.dense")
                .hf("feed_forward.post_norm", "output.LayerNorm").gguf("feed_forward.post_norm", "layer_output_norm")
                .hf("pooler", "pooler.dense").gguf("pooler", "cls")
                .hf("classifier", "/classifier").gguf("classifier", "cls.output")
                .hfRoot("encoder.layer.", "bert.", "");
    }

    /** The heads a BERT was trained with, which no embedding reads. */
    private static boolean isTrainingHead(String tensor) {
        return tensor.startsWith("cls.predictions.") || tensor.startsWith("cls.seq_relationship.")
                || tensor.endsWith("pooler.dense.weight") || tensor.endsWith("pooler.dense.bias");
    }
}
