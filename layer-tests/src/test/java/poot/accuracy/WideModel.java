package poot.accuracy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.core.checkpoint.GgufWriter;
import poot.core.checkpoint.SafetensorsWriter;
import poot.core.checkpoint.TensorBody;

/**
 * A Llama of random weights whose every row is whole blocks of 256, in both forms; the two are different models, since
 * GGUF orders the rows of queries and keys in another way.
 *
 * @param gguf      the file
 * @param directory the Hugging Face directory
 */
record WideModel(Path gguf, Path directory) {
    private static final int HIDDEN = 256;
    private static final int FEED_FORWARD = 512;
    private static final int HEADS = 8;
    private static final int KV_HEADS = 2;
    private static final int HEAD = HIDDEN / HEADS;
    private static final int LAYERS = 3;
    private static final int VOCABULARY = 512;

    /** Writes both forms. */
    static WideModel write(Path parent) throws IOException {
        WideModel out = new WideModel(parent.resolve("random-256.gguf"), Files.createDirectories(parent.resolve("random-256")));
        Map<String, Shape> tensors = tensors();
        out.writeGguf(tensors);
        Files.writeString(out.directory.resolve("config.json"), config());
        SafetensorsWriter writer = new SafetensorsWriter();
        tensors.forEach((name, shape) -> writer.floats(huggingFace(name), shape, values(name, shape)));
        writer.write(out.directory.resolve("model.safetensors"));
        return out;
    }

    /** Two sequences of random tokens. */
    List<int[]> sequences() {
        return List.of(new Random(1).ints(192, 0, VOCABULARY).toArray(), new Random(2).ints(192, 0, VOCABULARY).toArray());
    }

    private void writeGguf(Map<String, Shape> tensors) throws IOException {
        GgufWriter writer = new GgufWriter().text("general.architecture", "llama").u32("llama.block_count", LAYERS)
                .u32("llama.context_length", 256).u32("llama.embedding_length", HIDDEN)
                .u32("llama.feed_forward_length", FEED_FORWARD).u32("llama.attention.head_count", HEADS)
                .u32("llama.attention.head_count_kv", KV_HEADS).u32("llama.rope.dimension_count", HEAD)
                .u32("llama.vocab_size", VOCABULARY).f32("llama.attention.layer_norm_rms_epsilon", 1e-5f);
        tensors.forEach((name, shape) -> writer.tensor(name, Encoding.F32, shape, TensorBody.floats(values(name, shape))));
        writer.write(gguf);
    }

    private static Map<String, Shape> tensors() {
        Map<String, Shape> out = new LinkedHashMap<>();
        out.put("token_embd.weight", Shape.of(VOCABULARY, HIDDEN));
        out.put("output_norm.weight", Shape.of(HIDDEN));
        out.put("output.weight", Shape.of(VOCABULARY, HIDDEN));
        for (int i = 0; i < LAYERS; i++) {
            String p = "blk." + i + ".";
            out.put(p + "attn_norm.weight", Shape.of(HIDDEN));
            out.put(p + "attn_q.weight", Shape.of(HIDDEN, HIDDEN));
            out.put(p + "attn_k.weight", Shape.of(KV_HEADS * HEAD, HIDDEN));
            out.put(p + "attn_v.weight", Shape.of(KV_HEADS * HEAD, HIDDEN));
            out.put(p + "attn_output.weight", Shape.of(HIDDEN, HIDDEN));
            out.put(p + "ffn_norm.weight", Shape.of(HIDDEN));
            out.put(p + "ffn_gate.weight", Shape.of(FEED_FORWARD, HIDDEN));
            out.put(p + "ffn_up.weight", Shape.of(FEED_FORWARD, HIDDEN));
            out.put(p + "ffn_down.weight", Shape.of(HIDDEN, FEED_FORWARD));
        }
        return out;
    }

    private static String huggingFace(String name) {
        return name.replace("token_embd", "model.embed_tokens").replace("output_norm", "model.norm")
                .replaceAll("^output\\.", "lm_head.").replace("blk.", "model.layers.")
                .replace("attn_norm", "input_layernorm").replace("ffn_norm", "post_attention_layernorm")
                .replaceAll("attn_([qkv])\\.", "self_attn.$1_proj.").replace("attn_output", "self_attn.o_proj")
                .replaceAll("ffn_(gate|up|down)", "mlp.$1_proj");
    }

    private static String config() {
        return """
                {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": %d, "intermediate_size": %d,
                 "num_hidden_layers": %d, "num_attention_heads": %d, "num_key_value_heads": %d, "vocab_size": %d,
                 "max_position_embeddings": 256, "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "hidden_act": "silu",
                 "tie_word_embeddings": false, "torch_dtype": "float32"}
                """.formatted(HIDDEN, FEED_FORWARD, LAYERS, HEADS, KV_HEADS, VOCABULARY);
    }

    private static float[] values(String name, Shape shape) {
        Random random = new Random(name.hashCode());
        boolean vector = shape.rank() < 2;
        float size = vector ? 0.1f : name.startsWith("output") ? 0.25f : 1 / (float) Math.sqrt(shape.dim(-1));
        float[] out = new float[(int) shape.count()];
        for (int i = 0; i < out.length; i++) {
            out[i] = (vector ? 1 : 0) + size * (float) random.nextGaussian();
        }
        return out;
    }
}
