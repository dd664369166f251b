package poot.families;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.model.ConfigSource;
import poot.api.model.LoadException;
import poot.api.model.Model;
import poot.api.model.RawConfig;
import poot.api.model.Registry;

/** A tiny Llama in both forms, to be changed by a test, and the road from a configuration to a model. */
final class Checkpoints {
    private Checkpoints() {}

    static Map<String, Object> llama() {
        Map<String, Object> c = new LinkedHashMap<>();
        c.put("model_type", "llama");
        c.put("vocab_size", 32L);
        c.put("hidden_size", 16L);
        c.put("intermediate_size", 24L);
        c.put("num_hidden_layers", 2L);
        c.put("num_attention_heads", 4L);
        c.put("num_key_value_heads", 2L);
        c.put("max_position_embeddings", 64L);
        c.put("rms_norm_eps", 1e-5);
        c.put("eos_token_id", List.of(1L, 2L));
        return c;
    }

    static Map<String, Object> with(String key, Object value) {
        Map<String, Object> c = llama();
        c.put(key, value);
        return c;
    }

    static Map<String, Object> without(String key) {
        Map<String, Object> c = llama();
        c.remove(key);
        return c;
    }

    static Map<String, Object> ggufLlama() {
        Map<String, Object> c = new LinkedHashMap<>();
        c.put("general.architecture", "llama");
        c.put("general.name", "tiny");
        c.put("llama.vocab_size", 32L);
        c.put("llama.embedding_length", 16L);
        c.put("llama.feed_forward_length", 24L);
        c.put("llama.block_count", 2L);
        c.put("llama.attention.head_count", 4L);
        c.put("llama.attention.head_count_kv", 2L);
        c.put("llama.context_length", 64L);
        c.put("llama.attention.layer_norm_rms_epsilon", 1e-5);
        c.put("tokenizer.ggml.eos_token_id", 1L);
        c.put("tokenizer.ggml.eot_token_id", 3L);
        return c;
    }

    /** The tensors of {@link #llama} under a root, its head included. */
    static NamedTensors tensors(String root) {
        NamedTensors t = new NamedTensors().with(root + "embed_tokens.weight", 32, 16).with(root + "norm.weight", 16)
                .with("lm_head.weight", 32, 16);
        for (int i = 0; i < 2; i++) {
            String layer = root + "layers." + i + ".";
            t.with(layer + "input_layernorm.weight", 16).with(layer + "post_attention_layernorm.weight", 16)
                    .with(layer + "self_attn.q_proj.weight", 16, 16).with(layer + "self_attn.k_proj.weight", 8, 16)
                    .with(layer + "self_attn.v_proj.weight", 8, 16).with(layer + "self_attn.o_proj.weight", 16, 16)
                    .with(layer + "mlp.gate_proj.weight", 24, 16).with(layer + "mlp.up_proj.weight", 24, 16)
                    .with(layer + "mlp.down_proj.weight", 16, 24);
        }
        return t;
    }

    /** The tensors of {@link #ggufLlama}, with the head tied and queries, keys and values fused. */
    static NamedTensors ggufTensors() {
        NamedTensors t = new NamedTensors().with("token_embd.weight", 32, 16).with("output_norm.weight", 16);
        for (int i = 0; i < 2; i++) {
            String layer = "blk." + i + ".";
            t.with(layer + "attn_norm.weight", 16).with(layer + "ffn_norm.weight", 16)
                    .with(layer + "attn_qkv.weight", 32, 16).with(layer + "attn_output.weight", 16, 16)
                    .with(layer + "ffn_gate.weight", 24, 16).with(layer + "ffn_up.weight", 24, 16)
                    .with(layer + "ffn_down.weight", 16, 24);
        }
        return t;
    }

    static Model build(ConfigSource source, Map<String, Object> values, NamedTensors tensors) throws LoadException {
        RawConfig c = RawConfig.of(source, Path.of("config"), values);
        Model m = Families.registry().resolve(Registry.keyOf(c)).build().build(c, tensors).model();
        m.weights().bind(tensors);
        return m;
    }
}
