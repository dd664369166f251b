package poot.serve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.core.checkpoint.GgufWriter;
import poot.core.checkpoint.TensorBody;
import poot.serve.bench.WeightMix.Use;

/**
 * Writes a GGUF of a given shape with random weights: the real sizes and formats, no meaning. A matrix repeats a
 * pool of random rows, so that writing costs little more than the disk; every byte of the file is still read by a
 * step.
 */
public final class SyntheticCheckpoint {
    private static final int POOL_ROWS = 64;

    private final BenchShape shape;
    private final WeightMix mix;
    private final Random random = new Random(42);
    private final GgufWriter writer = new GgufWriter();
    private long weightBytes;

    private SyntheticCheckpoint(BenchShape shape, WeightMix mix) {
        this.shape = shape;
        this.mix = mix;
        metadata();
        vocabulary();
        tensors();
    }

    /** Writes the checkpoint; matrices as the mix says, vectors in F32. The same arguments give the same bytes. */
    public static void write(Path file, BenchShape shape, WeightMix mix) throws IOException {
        new SyntheticCheckpoint(shape, mix).writer.write(file);
    }

    /** Bytes of the checkpoint's tensors: what a step reads of it, the embedding being the head. */
    public static long weightBytes(BenchShape shape, WeightMix mix) {
        return new SyntheticCheckpoint(shape, mix).weightBytes;
    }

    private void metadata() {
        String a = shape.architecture() + ".";
        writer.text("general.architecture", shape.architecture())
                .text("general.name", "synthetic")
                .u32(a + "block_count", shape.layers())
                .u32(a + "context_length", shape.context())
                .u32(a + "embedding_length", shape.hidden())
                .u32(a + "feed_forward_length", shape.feedForward())
                .u32(a + "attention.head_count", shape.heads())
                .u32(a + "attention.head_count_kv", shape.kvHeads())
                .u32(a + "attention.key_length", shape.headDim())
                .u32(a + "attention.value_length", shape.headDim())
                .u32(a + "rope.dimension_count", shape.headDim())
                .u32(a + "vocab_size", shape.vocabulary())
                .f32(a + "rope.freq_base", (float) shape.ropeBase())
                .f32(a + "attention.layer_norm_rms_epsilon", 1e-5f);
    }

    /** The 256 bytes as the byte-level alphabet spells them, then numbered words; no merges. */
    private void vocabulary() {
        List<String> tokens = new ArrayList<>(shape.vocabulary());
        int spare = 256;
        for (int b = 0; b < 256; b++) {
            boolean printable = b > 32 && b < 127 || b > 160 && b != 173;
            tokens.add(Character.toString(printable ? b : spare++));
        }
        for (int i = 256; i < shape.vocabulary(); i++) {
            tokens.add("<word" + i + ">");
        }
        writer.text("tokenizer.ggml.model", "gpt2")
                .text("tokenizer.ggml.pre", "gpt-2")
                .texts("tokenizer.ggml.tokens", tokens)
                .integers("tokenizer.ggml.token_type", Collections.nCopies(tokens.size(), 1).stream().mapToInt(i -> i).toArray())
                .texts("tokenizer.ggml.merges", List.of())
                .u32("tokenizer.ggml.eos_token_id", shape.vocabulary() - 1L);
    }

    private void tensors() {
        int d = shape.hidden();
        int q = shape.heads() * shape.headDim();
        int kv = shape.kvHeads() * shape.headDim();
        matrix("token_embd.weight", Use.TABLE, 0, shape.vocabulary(), d);
        vector("output_norm.weight", d, 1);
        for (int i = 0; i < shape.layers(); i++) {
            String p = "blk." + i + ".";
            vector(p + "attn_norm.weight", d, 1);
            matrix(p + "attn_q.weight", Use.OTHER, i, q, d);
            matrix(p + "attn_k.weight", Use.OTHER, i, kv, d);
            matrix(p + "attn_v.weight", Use.VALUE, i, kv, d);
            matrix(p + "attn_output.weight", Use.OTHER, i, d, q);
            if (shape.qkvBias()) {
                vector(p + "attn_q.bias", q, 0);
                vector(p + "attn_k.bias", kv, 0);
                vector(p + "attn_v.bias", kv, 0);
            }
            vector(p + "ffn_norm.weight", d, 1);
            matrix(p + "ffn_gate.weight", Use.OTHER, i, shape.feedForward(), d);
            matrix(p + "ffn_up.weight", Use.OTHER, i, shape.feedForward(), d);
            matrix(p + "ffn_down.weight", Use.DOWN, i, d, shape.feedForward());
        }
    }

    private void vector(String name, int n, float center) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = center + 0.02f * (float) random.nextGaussian();
        }
        weightBytes += 4L * n;
        writer.tensor(name, Encoding.F32, Shape.of(n), TensorBody.floats(values));
    }

    private void matrix(String name, Use use, int layer, int rows, int columns) {
        long seed = random.nextLong();
        Encoding encoding = mix.encoding(use, layer, shape.layers(), columns);
        weightBytes += (long) rows * (columns / encoding.blockElements()) * encoding.blockBytes();
        writer.tensor(name, encoding, Shape.of(rows, columns), out -> {
            RandomBlocks blocks = new RandomBlocks(encoding, columns, seed);
            byte[][] pool = new byte[Math.min(rows, POOL_ROWS)][];
            for (int i = 0; i < pool.length; i++) {
                pool[i] = blocks.row(columns);
            }
            Random pick = new Random(~seed);
            for (int i = 0; i < rows; i++) {
                out.write(pool[pick.nextInt(pool.length)]);
            }
        });
    }
}
