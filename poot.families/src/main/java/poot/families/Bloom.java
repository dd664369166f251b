package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.graph.Composite.Activation;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.families.components.AttentionParams;
import poot.families.components.AttentionParams.Heads;
import poot.families.components.AttentionParams.Positions;
import poot.families.components.FeedForward;
import poot.families.components.Norm;
import poot.families.standard.Field;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;
import poot.families.standard.WeightNames;

/**
 * BLOOM (BigScience 2022): biased layer norms, biases everywhere, ALiBi, a plain feed-forward of tanh-GELU, a normalised
 * embedding. Hugging Face stores queries, keys and values head by head in one tensor, a GGUF one after the other.
 */
final class Bloom implements DenseFamily {
    @Override
    public String name() {
        return "bloom";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("bloom"), gguf("bloom"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        f.require("apply_residual_connection_post_layernorm", false, "residuals start before the norm");
        f.inert("slow_but_exact", "masked_softmax_fusion", "offset_alibi", "bias_dropout_fusion", "skip_bias_add",
                "skip_bias_add_qkv", "attention_softmax_in_fp32", "n_inner");
        Norm norm = Norm.layer(f.epsilon(Field.LAYER_EPS), true);
        Heads h = f.heads();
        if (h.groups() != h.query()) {
            throw f.config().unsupported(f.key(Field.GROUPS), "every head has its own keys and values");
        }
        AttentionParams attention = AttentionParams.of(h.query(), h.query(), h.dim()).withPositions(new Positions.Alibi(8));
        FeedForward feedForward = new FeedForward.Plain(f.extent(Field.FEED_FORWARD, 4 * f.extent(Field.HIDDEN)), Activation.GELU_TANH, true);
        return f.decoder(f.context(2048), norm, f.isGguf() ? attention : attention.fusedByGroup(), feedForward)
                .bias(true, true).embeddingNorm(norm).tiedHead(f.tied(true)).build();
    }

    @Override
    public WeightMap weights(StandardParams p, WeightNames names) throws WeightException {
        return names.hf("embedding", "word_embeddings").hf("embedding_norm", "word_embeddings_layernorm").hf("norm", "ln_f")
                .hf("attention.query_key_value", "self_attention.query_key_value")
                .hf("attention.output", "self_attention.dense")
                .hf("feed_forward.up", "mlp.dense_h_to_4h").hf("feed_forward.down", "mlp.dense_4h_to_h")
                .hfRoot("h.", "transformer.", "").standard(p);
    }
}
