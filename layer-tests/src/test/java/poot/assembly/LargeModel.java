package poot.assembly;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import poot.api.graph.Encoding;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.Model;
import poot.families.Families;
import poot.golden.OpenModel;
import poot.serve.bench.BenchShape;
import poot.serve.bench.WeightMix;
import poot.serve.bench.WeightMix.Use;

/** A Llama of a real shape, head and embedding tied; its checkpoint is a file of holes that takes no room. */
final class LargeModel implements AutoCloseable {
    private static final Pattern LAYER = Pattern.compile("layers\\.(\\d+)\\.");
    private static final int ELEMENT_BYTES = 4;

    private final BenchShape shape;
    private final OpenModel model;

    private LargeModel(BenchShape shape, OpenModel model) {
        this.shape = shape;
        this.model = model;
    }

    /** A shape cut to four layers, which have all its kernels. */
    static BenchShape cut(BenchShape s) {
        return new BenchShape(s.architecture(), 4, s.hidden(), s.heads(), s.kvHeads(), s.headDim(), s.feedForward(), s.vocabulary(),
                s.ropeBase(), s.qkvBias(), s.context());
    }

    /** The checkpoint of a shape, written into a directory. */
    static LargeModel write(Path directory, BenchShape shape) throws Exception {
        Files.writeString(directory.resolve("config.json"), """
                {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": %d, "intermediate_size": %d,
                 "num_hidden_layers": %d, "num_attention_heads": %d, "num_key_value_heads": %d, "head_dim": %d, "vocab_size": %d,
                 "max_position_embeddings": %d, "rms_norm_eps": 1e-05, "rope_theta": %s, "hidden_act": "silu",
                 "tie_word_embeddings": true, "torch_dtype": "float32"}
                """.formatted(shape.hidden(), shape.feedForward(), shape.layers(), shape.heads(), shape.kvHeads(), shape.headDim(),
                shape.vocabulary(), shape.context(), shape.ropeBase()));
        holes(directory.resolve("model.safetensors"), tensors(shape));
        return new LargeModel(shape, OpenModel.open(directory, Families.registry()));
    }

    private static Map<String, Shape> tensors(BenchShape s) {
        Map<String, Shape> out = new LinkedHashMap<>();
        out.put("model.embed_tokens.weight", Shape.of(s.vocabulary(), s.hidden()));
        out.put("model.norm.weight", Shape.of(s.hidden()));
        for (int i = 0; i < s.layers(); i++) {
            String p = "model.layers." + i + ".";
            out.put(p + "input_layernorm.weight", Shape.of(s.hidden()));
            out.put(p + "self_attn.q_proj.weight", Shape.of(s.heads() * s.headDim(), s.hidden()));
            out.put(p + "self_attn.k_proj.weight", Shape.of(s.kvHeads() * s.headDim(), s.hidden()));
            out.put(p + "self_attn.v_proj.weight", Shape.of(s.kvHeads() * s.headDim(), s.hidden()));
            out.put(p + "self_attn.o_proj.weight", Shape.of(s.hidden(), s.heads() * s.headDim()));
            out.put(p + "post_attention_layernorm.weight", Shape.of(s.hidden()));
            out.put(p + "mlp.gate_proj.weight", Shape.of(s.feedForward(), s.hidden()));
            out.put(p + "mlp.up_proj.weight", Shape.of(s.feedForward(), s.hidden()));
            out.put(p + "mlp.down_proj.weight", Shape.of(s.hidden(), s.feedForward()));
        }
        return out;
    }

    /** A safetensors file of F32 whose elements are a hole. */
    private static void holes(Path file, Map<String, Shape> tensors) throws IOException {
        StringJoiner header = new StringJoiner(",", "{", "}");
        long at = 0;
        for (Map.Entry<String, Shape> e : tensors.entrySet()) {
            long end = at + ELEMENT_BYTES * e.getValue().count();
            StringJoiner dims = new StringJoiner(",", "[", "]");
            for (int i = 0; i < e.getValue().rank(); i++) {
                dims.add(Integer.toString(e.getValue().dim(i)));
            }
            header.add("\"" + e.getKey() + "\":{\"dtype\":\"F32\",\"shape\":" + dims + ",\"data_offsets\":[" + at + "," + end + "]}");
            at = end;
        }
        byte[] text = header.toString().getBytes(StandardCharsets.UTF_8);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            out.write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(text.length).flip());
            out.write(ByteBuffer.wrap(text));
            out.write(ByteBuffer.allocate(1), Long.BYTES + text.length + at - 1);
        }
    }

    Model model() {
        return model.model();
    }

    /** The weights as a mix stores them. */
    SortedMap<Role, Weight> weights(WeightMix mix) {
        return Stored.as(model.weights(), w -> encoding(w, mix));
    }

    /** The weights with every matrix in one encoding of one part. */
    SortedMap<Role, Weight> weights(Encoding encoding) {
        return Stored.as(model.weights(), w -> encoding);
    }

    private Encoding encoding(Weight w, WeightMix mix) {
        Matcher m = LAYER.matcher(w.name());
        int layer = m.find() ? Integer.parseInt(m.group(1)) : 0;
        Use use = w.name().contains("embed") ? Use.TABLE : w.name().contains("v_proj") ? Use.VALUE
                : w.name().contains("down_proj") ? Use.DOWN : Use.OTHER;
        return mix.encoding(use, layer, shape.layers(), w.columns());
    }

    @Override
    public void close() {
        model.close();
    }
}
