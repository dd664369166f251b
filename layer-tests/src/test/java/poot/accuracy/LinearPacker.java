package poot.accuracy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.WeightStore;
import poot.core.checkpoint.Checkpoint;
import poot.core.checkpoint.SafetensorsWriter;
import poot.core.checkpoint.TensorBody;
import poot.core.driver.StoredFormats;
import poot.core.quant.Fp8Packer;

/**
 * Packs the linear layers of a Hugging Face directory by rounding to nearest; embeddings, head and norms become F32, as do
 * layers whose sizes the format cannot hold.
 *
 * @param name   of the format
 * @param config what the configuration says of it
 * @param linear packs one layer
 */
record LinearPacker(String name, String config, Linear linear) {
    private static final int GROUP = 32;

    /** Every format. */
    static final List<LinearPacker> ALL = List.of(
            new LinearPacker("FP8 by channel", "{\"quant_method\": \"fbgemm_fp8\"}", LinearPacker::channel),
            new LinearPacker("FP8 by block", "{\"quant_method\": \"fp8\", \"activation_scheme\": \"dynamic\", \"weight_block_size\": [64, 64]}",
                    LinearPacker::block),
            new LinearPacker("GPTQ 4 bits", "{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 32, \"desc_act\": false}",
                    LinearPacker::gptq),
            new LinearPacker("AWQ 4 bits",
                    "{\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": 32, \"version\": \"gemm\", \"zero_point\": true}",
                    LinearPacker::awq));

    /** Packs layers. */
    @FunctionalInterface
    interface Linear {
        /** Announces the tensors of a layer [out, in], whose names begin with {@code prefix}; false if its sizes do not fit. */
        boolean pack(SafetensorsWriter to, String prefix, float[] matrix, int out, int in);
    }

    /** Writes the packed directory. */
    WeightForm.Written write(Path from, Path to) throws Exception {
        Files.createDirectories(to);
        String text = Files.readString(from.resolve("config.json")).strip();
        Files.writeString(to.resolve("config.json"),
                text.substring(0, text.lastIndexOf('}')) + ", \"quantization_config\": " + config + "}");
        SafetensorsWriter writer = new SafetensorsWriter();
        Map<String, Long> stored = new TreeMap<>();
        try (Checkpoint checkpoint = Checkpoint.open(from, new StoredFormats())) {
            WeightStore weights = checkpoint.weights();
            for (String tensor : weights.names()) {
                Weight w = weights.find(tensor).orElseThrow();
                float[] values = values(w);
                boolean packed = tensor.endsWith("_proj.weight") && linear.pack(writer,
                        tensor.substring(0, tensor.length() - "weight".length()), values, w.shape().dim(0), w.columns());
                if (!packed) {
                    writer.floats(tensor, w.shape(), values);
                }
                if (w.shape().rank() > 1) {
                    stored.merge(packed ? name : "F32", w.shape().count(), Long::sum);
                }
            }
            writer.write(to.resolve("model.safetensors"));
        }
        return new WeightForm.Written(to, from, stored);
    }

    private static float[] values(Weight w) {
        float[] out = new float[Math.toIntExact(w.shape().count())];
        for (int r = 0; r < w.rowCount(); r++) {
            w.decode(r, 0, w.columns(), out, r * w.columns());
        }
        return out;
    }

    private static boolean channel(SafetensorsWriter to, String prefix, float[] matrix, int out, int in) {
        Fp8Packer packed = Fp8Packer.channel(matrix, out, in);
        to.tensor(prefix + "weight", "F8_E4M3", Shape.of(out, in), TensorBody.bytes(packed.elements()));
        to.floats(prefix + "weight_scale", Shape.of(out, 1), packed.multipliers());
        return true;
    }

    private static boolean block(SafetensorsWriter to, String prefix, float[] matrix, int out, int in) {
        Fp8Packer packed = Fp8Packer.block(matrix, out, in, 64, 64);
        to.tensor(prefix + "weight", "F8_E4M3", Shape.of(out, in), TensorBody.bytes(packed.elements()));
        to.floats(prefix + "weight_scale_inv", Shape.of(Math.ceilDiv(out, 64), Math.ceilDiv(in, 64)), packed.multipliers());
        return true;
    }

    private static boolean gptq(SafetensorsWriter to, String prefix, float[] matrix, int out, int in) {
        if (out % 8 != 0 || in % 8 != 0) {
            return false;
        }
        Groups g = Groups.of(matrix, out, in);
        int[] codes = new int[in / 8 * out];
        int[] zeros = new int[g.count() * (out / 8)];
        for (int o = 0; o < out; o++) {
            for (int i = 0; i < in; i++) {
                codes[i / 8 * out + o] |= g.code(matrix[o * in + i], o, i / GROUP) << 4 * (i % 8);
            }
            for (int n = 0; n < g.count(); n++) {
                zeros[n * (out / 8) + o / 8] |= g.zeros()[n * out + o] - 1 << 4 * (o % 8);
            }
        }
        put(to, prefix, codes, Shape.of(in / 8, out), zeros, g, out);
        return true;
    }

    private static boolean awq(SafetensorsWriter to, String prefix, float[] matrix, int out, int in) {
        if (out % 8 != 0 || in % 8 != 0) {
            return false;
        }
        Groups g = Groups.of(matrix, out, in);
        int[] codes = new int[in * (out / 8)];
        int[] zeros = new int[g.count() * (out / 8)];
        for (int o = 0; o < out; o++) {
            int shift = 4 * new int[] {0, 4, 1, 5, 2, 6, 3, 7}[o % 8];
            for (int i = 0; i < in; i++) {
                codes[i * (out / 8) + o / 8] |= g.code(matrix[o * in + i], o, i / GROUP) << shift;
            }
            for (int n = 0; n < g.count(); n++) {
                zeros[n * (out / 8) + o / 8] |= g.zeros()[n * out + o] << shift;
            }
        }
        put(to, prefix, codes, Shape.of(in, out / 8), zeros, g, out);
        return true;
    }

    private static void put(SafetensorsWriter to, String prefix, int[] codes, Shape shape, int[] zeros, Groups g, int out) {
        to.tensor(prefix + "qweight", "I32", shape, TensorBody.bytes(words(codes)));
        to.tensor(prefix + "qzeros", "I32", Shape.of(g.count(), out / 8), TensorBody.bytes(words(zeros)));
        ByteBuffer scales = ByteBuffer.allocate(2 * g.scales().length).order(ByteOrder.LITTLE_ENDIAN);
        for (short s : g.scales()) {
            scales.putShort(s);
        }
        to.tensor(prefix + "scales", "F16", Shape.of(g.count(), out), TensorBody.bytes(scales.array()));
    }

    private static byte[] words(int... words) {
        ByteBuffer out = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        out.asIntBuffer().put(words);
        return out.array();
    }

    /**
     * Groups of inputs: their range, widened to hold 0, in 15 steps.
     *
     * @param count  groups of a row
     * @param outputs rows
     * @param scales F16, [count, outputs]
     * @param zeros  the code of 0, [count, outputs], 1 to 15
     */
    private record Groups(int count, int outputs, short[] scales, int[] zeros) {
        static Groups of(float[] matrix, int out, int in) {
            int count = Math.ceilDiv(in, GROUP);
            Groups g = new Groups(count, out, new short[count * out], new int[count * out]);
            for (int o = 0; o < out; o++) {
                for (int n = 0; n < count; n++) {
                    float least = 0;
                    float most = 0;
                    for (int i = n * GROUP; i < Math.min(in, (n + 1) * GROUP); i++) {
                        least = Math.min(least, matrix[o * in + i]);
                        most = Math.max(most, matrix[o * in + i]);
                    }
                    float step = Math.max((most - least) / 15, 1e-4f);
                    g.scales[n * out + o] = Float.floatToFloat16(step);
                    g.zeros[n * out + o] = Math.clamp((int) Math.rint(-least / step), 1, 15);
                }
            }
            return g;
        }

        int code(float x, int output, int group) {
            int at = group * outputs + output;
            return Math.clamp((int) Math.rint(x / Float.float16ToFloat(scales[at])) + zeros[at], 0, 15);
        }
    }
}
