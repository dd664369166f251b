package poot.families.standard;

import java.util.List;

/** The usual quantities of a configuration and how each kind of checkpoint spells their keys. */
public enum Field {
    VOCABULARY("vocab_size", "vocab_size"),
    CONTEXT("context_length", "max_position_embeddings", "seq_length", "max_seq_len"),
    HIDDEN("embedding_length", "hidden_size", "n_embed", "d_model"),
    LAYERS("block_count", "num_hidden_layers", "n_layer", "n_layers"),
    FEED_FORWARD("feed_forward_length", "intermediate_size"),
    HEADS("attention.head_count", "num_attention_heads", "n_head", "n_heads"),
    GROUPS("attention.head_count_kv", "num_key_value_heads"),
    HEAD_DIM("attention.key_length", "head_dim"),
    RMS_EPS("attention.layer_norm_rms_epsilon", "rms_norm_eps"),
    LAYER_EPS("attention.layer_norm_epsilon", "layer_norm_eps", "layer_norm_epsilon"),
    WINDOW("attention.sliding_window", "sliding_window"),
    SOFTCAP("attn_logit_softcapping", "attn_logit_softcapping"),
    LOGIT_SOFTCAP("final_logit_softcapping", "final_logit_softcapping"),
    EMBEDDING_SCALE("embedding_scale", "embedding_multiplier"),
    RESIDUAL_SCALE("residual_scale", "residual_multiplier"),
    LOGIT_DIVISOR("logit_scale", "logits_scaling"),
    ATTENTION_SCALE("attention.scale", "attention_multiplier");

    private final String gguf;
    private final List<String> hf;

    Field(String gguf, String... hf) {
        this.gguf = gguf;
        this.hf = List.of(hf);
    }

    /** The key in a GGUF, after the architecture and a dot. */
    String gguf() {
        return gguf;
    }

    /** The keys in a Hugging Face configuration, the usual one first. */
    List<String> hf() {
        return hf;
    }
}
