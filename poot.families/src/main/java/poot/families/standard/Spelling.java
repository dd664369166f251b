package poot.families.standard;

import java.util.HashMap;
import java.util.Map;
import poot.api.model.ConfigSource;

/**
 * How checkpoints usually spell the tensors of a decoder: the one table. A name stands for {@code NAME.weight} and
 * {@code NAME.bias}; one of a layer follows the layer's prefix.
 *
 * @param root  what comes before every name, in a Hugging Face checkpoint of a causal model
 * @param layer what comes before a layer's index
 * @param names role (without {@code layers.N.}) to name
 */
record Spelling(String root, String layer, Map<String, String> names) {
    //                                     role                          Hugging Face                  GGUF
    private static final String[][] TABLE = {
            {"embedding",                  "embed_tokens",               "token_embd"},
            {"embedding_norm",             "embed_norm",                 "token_embd_norm"},
            {"norm",                       "norm",                       "output_norm"},
            {"head",                       "/lm_head",                   "output"},
            {"rope.factors",               "rope.factors",               "rope_freqs"},
            {"rope.factors_short",         "rope.factors_short",         "rope_factors_short"},
            {"rope.factors_long",          "rope.factors_long",          "rope_factors_long"},
            {"attention.norm",             "input_layernorm",            "attn_norm"},
            {"attention.query",            "self_attn.q_proj",           "attn_q"},
            {"attention.key",              "self_attn.k_proj",           "attn_k"},
            {"attention.value",            "self_attn.v_proj",           "attn_v"},
            {"attention.query_key_value",  "self_attn.qkv_proj",         "attn_qkv"},
            {"attention.query_norm",       "self_attn.q_norm",           "attn_q_norm"},
            {"attention.key_norm",         "self_attn.k_norm",           "attn_k_norm"},
            {"attention.output",           "self_attn.o_proj",           "attn_output"},
            {"attention.post_norm",        "post_attention_layernorm",   "post_attention_norm"},
            {"feed_forward.norm",          "post_attention_layernorm",   "ffn_norm"},
            {"feed_forward.gate",          "mlp.gate_proj",              "ffn_gate"},
            {"feed_forward.up",            "mlp.up_proj",                "ffn_up"},
            {"feed_forward.down",          "mlp.down_proj",              "ffn_down"},
            {"feed_forward.post_norm",     "post_feedforward_layernorm", "post_ffw_norm"},
    };

    Spelling {
        names = Map.copyOf(names);
    }

    /** The usual spelling of a kind of checkpoint. */
    static Spelling of(ConfigSource source) {
        Map<String, String> names = new HashMap<>();
        for (String[] row : TABLE) {
            names.put(row[0], source == ConfigSource.HF ? row[1] : row[2]);
        }
        return switch (source) {
            case HF -> new Spelling("model.", "layers.", names);
            case GGUF -> new Spelling("", "blk.", names);
        };
    }

    /** This spelling with another name for a role; a leading slash means the root does not apply. */
    Spelling with(String role, String name) {
        Map<String, String> changed = new HashMap<>(names);
        changed.put(role, name);
        return new Spelling(root, layer, changed);
    }

    /** This spelling with another root and layer prefix. */
    Spelling under(String otherRoot, String otherLayer) {
        return new Spelling(otherRoot, otherLayer, names);
    }

    /** The name of a role, without {@code .weight} or {@code .bias}; layer -1 for a role outside the layers. */
    String name(int index, String role) {
        String name = names.getOrDefault(role, role);
        if (name.startsWith("/")) {
            return name.substring(1);
        }
        return index < 0 ? root + name : layerPrefix(index) + name;
    }

    /** What the names of a layer begin with. */
    String layerPrefix(int index) {
        return root + layer + index + ".";
    }
}
