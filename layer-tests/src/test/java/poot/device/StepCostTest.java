package poot.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import poot.acceptance.Repository;
import poot.api.executor.Executor;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.api.model.KvForm;
import poot.api.model.KvLayout;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;
import poot.api.model.StepShape;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.execute.DeviceExecutor;
import poot.families.Families;
import poot.golden.OpenModel;
import poot.step.Chunk;
import poot.step.ExecutorSession;
import poot.step.Vulkan;

/**
 * What a token costs, decoded at the end of a full cache: kernels, barriers, and bytes against the least there is to read,
 * every weight and the whole cache once.
 */
class StepCostTest {
    private static final int POSITIONS = 512;
    private static final int RUNS = 20;
    /** Intermediate results may add a tenth to what a model of some size must read. */
    private static final double MOST_OF_LARGE = 1.1;

    private static double decode(TestReporter reporter, String name, Path model, Device device) throws Exception {
        StepShape base = StepShape.step(1, 1, POSITIONS).withLayout(new KvLayout.Contiguous(1)).withKv(KvForm.F16);
        CountingDevice counting = new CountingDevice(device);
        try (OpenModel m = OpenModel.open(model, Families.registry()); Executor executor = new DeviceExecutor(counting);
                ExecutorSession session = new ExecutorSession(m.model(), m.weights(), base, executor)) {
            long best = Long.MAX_VALUE;
            for (int i = 0; i < RUNS; i++) {
                session.step(new Chunk(0, POSITIONS - 1, 1));
                best = Math.min(best, counting.nanos());
            }
            long least = weights(m) + states(m, base);
            StepCost cost = counting.last();
            double times = (double) cost.bytes() / least;
            reporter.publishEntry(name, String.format(Locale.ROOT, "%d kernels, %d copies, %d barriers; %.2f MB, least %.2f MB, ratio %.3f; %.0f us",
                    cost.launches(), cost.transfers(), cost.barriers(), cost.bytes() / 1e6, least / 1e6, times, best / 1e3));
            return times;
        }
    }

    /** Bytes of all weights, those of tied ones once. */
    private static long weights(OpenModel m) {
        Map<Object, Long> parts = new LinkedHashMap<>();
        for (Map.Entry<Role, Weight> w : m.weights().entrySet()) {
            w.getValue().parts().forEach(p -> parts.put(p.address(), p.byteSize()));
        }
        return parts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long states(OpenModel m, StepShape base) {
        ModelSchema schema = m.model().schema();
        long bytes = 0;
        for (StateSpec s : schema.program(ProgramName.STEP).orElseThrow().states()) {
            bytes += s.types(base).values().stream().mapToLong(t -> t.bytes()).sum();
        }
        return bytes;
    }

    @Test
    void theDemoModel(TestReporter reporter) throws Exception {
        double times = decode(reporter, "poot-tiny", Repository.demoModel(), Vulkan.device());
        assertTrue(times >= 1, "fewer bytes than there are: " + times);
    }

    /** As a device with the limits of the one here would run it. */
    @Test
    void aBillionParameters(TestReporter reporter, @TempDir Path folder) throws Exception {
        DeviceLimits limits;
        try (Device device = Vulkan.device()) {
            limits = device.limits();
        }
        double times = decode(reporter, "1B", billion(folder), new PaperDevice(limits));
        assertTrue(times >= 1 && times < MOST_OF_LARGE, "times the least: " + times);
    }

    /** The shapes of Llama 3.2 1B in BF16; the file has a hole in place of its weights. */
    private static Path billion(Path folder) throws Exception {
        Files.writeString(folder.resolve("config.json"), """
                {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192,
                 "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256,
                 "max_position_embeddings": 131072, "rms_norm_eps": 1e-05, "rope_theta": 500000.0, "hidden_act": "silu",
                 "tie_word_embeddings": true, "torch_dtype": "bfloat16"}
                """);
        Map<String, int[]> tensors = new LinkedHashMap<>();
        tensors.put("model.embed_tokens.weight", new int[] {128256, 2048});
        tensors.put("model.norm.weight", new int[] {2048});
        for (int i = 0; i < 16; i++) {
            String p = "model.layers." + i + ".";
            tensors.put(p + "input_layernorm.weight", new int[] {2048});
            tensors.put(p + "post_attention_layernorm.weight", new int[] {2048});
            tensors.put(p + "self_attn.q_proj.weight", new int[] {2048, 2048});
            tensors.put(p + "self_attn.k_proj.weight", new int[] {512, 2048});
            tensors.put(p + "self_attn.v_proj.weight", new int[] {512, 2048});
            tensors.put(p + "self_attn.o_proj.weight", new int[] {2048, 2048});
            tensors.put(p + "mlp.gate_proj.weight", new int[] {8192, 2048});
            tensors.put(p + "mlp.up_proj.weight", new int[] {8192, 2048});
            tensors.put(p + "mlp.down_proj.weight", new int[] {2048, 8192});
        }
        StringBuilder header = new StringBuilder("{");
        long at = 0;
        for (Map.Entry<String, int[]> t : tensors.entrySet()) {
            int[] d = t.getValue();
            long bytes = 2L * d[0] * (d.length > 1 ? d[1] : 1);
            header.append(at == 0 ? "" : ",").append('"').append(t.getKey()).append("\":{\"dtype\":\"BF16\",\"shape\":[").append(d[0])
                    .append(d.length > 1 ? "," + d[1] : "").append("],\"data_offsets\":[").append(at).append(',').append(at + bytes).append("]}");
            at += bytes;
        }
        byte[] text = header.append('}').append(" ".repeat((8 - (header.length() + 1) % 8) % 8)).toString().getBytes(StandardCharsets.UTF_8);
        ByteBuffer begin = ByteBuffer.allocate(8 + text.length).order(ByteOrder.LITTLE_ENDIAN).putLong(text.length).put(text).flip();
        try (FileChannel out = FileChannel.open(folder.resolve("model.safetensors"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            out.write(begin);
            out.write(ByteBuffer.allocate(1), 8 + text.length + at - 1);
        }
        return folder;
    }
}
