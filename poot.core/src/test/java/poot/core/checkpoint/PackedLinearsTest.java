package poot.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.graph.Encoding;
import poot.api.graph.Shape;
import poot.api.graph.Weight;
import poot.api.model.CheckpointException;

/** Packed linears of a Hugging Face directory: each appears once, with its parts in order and its parameters. */
class PackedLinearsTest {
    @TempDir
    private Path dir;
    private SafetensorsWriter file;

    @BeforeEach
    void empty() {
        file = new SafetensorsWriter();
    }

    private PackedLinearsTest tensor(String name, String dtype, int... dims) {
        Shape shape = Shape.of(dims);
        long bytes = shape.count() * Dtype.named(dtype).orElseThrow().bits() / 8;
        file.tensor(name, dtype, shape, TensorBody.bytes(new byte[(int) bytes]));
        return this;
    }

    private Checkpoint open(String quantization) throws IOException, CheckpointException {
        Files.writeString(dir.resolve("config.json"), "{\"model_type\": \"llama\", \"quantization_config\": " + quantization + "}");
        file.write(dir.resolve("model.safetensors"));
        return Checkpoint.open(dir, new TestFormats());
    }

    private void check(String quantization, String name, Encoding encoding, String parameters, Shape shape, long... partBytes)
            throws Exception {
        try (Checkpoint c = open(quantization)) {
            Weight w = c.weights().find(name).orElseThrow();
            assertEquals(new TestFormats.Named(encoding, parameters), w.format());
            assertEquals(shape, w.shape());
            assertEquals(partBytes.length, w.parts().size());
            for (int i = 0; i < partBytes.length; i++) {
                assertEquals(partBytes[i], w.parts().get(i).byteSize(), "part " + i);
            }
            assertTrue(c.config().unread().contains("model_type"));
            assertFalse(c.config().unread().contains("quantization_config"));
        }
    }

    private String refusal(String quantization) throws Exception {
        try (Checkpoint c = open(quantization)) {
            return assertThrows(CheckpointException.class, c::weights).getMessage();
        }
    }

    private PackedLinearsTest gptq() {
        return tensor("l.q.qweight", "I32", 8, 16).tensor("l.q.qzeros", "I32", 2, 2).tensor("l.q.scales", "F16", 2, 16)
                .tensor("l.q.g_idx", "I32", 64).tensor("l.q.bias", "F16", 16).tensor("embed.weight", "BF16", 4, 64);
    }

    @Test
    void gptq_inBothPackings() throws Exception {
        gptq();
        Shape shape = Shape.of(16, 64);
        check("{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 32, \"desc_act\": true, \"sym\": false}",
                "l.q.weight", Encoding.GPTQ_4, "32 true true F16", shape, 512, 16, 64, 256);
        check("{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 32, \"desc_act\": false, \"checkpoint_format\": \"gptq_v2\"}",
                "l.q.weight", Encoding.GPTQ_4, "32 false false F16", shape, 512, 16, 64);
        try (Checkpoint c = open("{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 32}")) {
            assertEquals(Set.of("embed.weight", "l.q.weight", "l.q.bias"), c.weights().names());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, -1, Integer.MAX_VALUE})
    void gptq_refusesAnOrderOfAnotherMatrix(int group) throws Exception {
        ByteBuffer order = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
        order.putInt(4 * 63, group);
        tensor("l.q.qweight", "I32", 8, 16).tensor("l.q.qzeros", "I32", 2, 2).tensor("l.q.scales", "F16", 2, 16);
        file.tensor("l.q.g_idx", "I32", Shape.of(64), TensorBody.bytes(order.array()));
        String message = refusal("{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 32, \"desc_act\": true}");
        assertTrue(message.contains("\"l.q.g_idx\": input 63 is in group " + group + ", but tensor \"l.q.qweight\" has 2 groups"), message);
    }

    @Test
    void gptq_oneGroup() throws Exception {
        tensor("q.qweight", "I32", 3, 8).tensor("q.qzeros", "I32", 1, 1).tensor("q.scales", "F16", 1, 8);
        check("{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": -1}", "q.weight", Encoding.GPTQ_4, "24 true false F16",
                Shape.of(8, 24), 96, 4, 16);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "'bits': 8, 'group_size': 32 | quantization_config.bits",
        "'group_size': 32 | quantization_config.bits",
        "'bits': 4, 'group_size': 0 | quantization_config.group_size",
        "'bits': 4, 'group_size': 12 | quantization_config.group_size",
        "'bits': 4, 'group_size': 32, 'checkpoint_format': 'marlin' | quantization_config.checkpoint_format",
        "'bits': 4, 'group_size': 32, 'dynamic': {'x': {}} | quantization_config.dynamic",
        "'bits': 4, 'group_size': 32, 'pack_dtype': 'int16' | quantization_config.pack_dtype",
        "'bits': 4, 'group_size': 32, 'surprise': 1 | quantization_config.surprise",
        "'bits': 4, 'group_size': 32, 'desc_act': 'yes' | quantization_config.desc_act",
        "'bits': 4, 'group_size': 16 | l.q.qzeros"})
    void gptq_refusesByName(String fields, String named) throws Exception {
        gptq();
        String message = refusal("{\"quant_method\": \"gptq\", " + fields.replace('\'', '"') + "}");
        assertTrue(message.contains("\"" + named + "\""), message);
    }

    @Test
    void gptq_refusesIncompleteLinears() throws Exception {
        tensor("q.qweight", "I32", 3, 8).tensor("q.scales", "F16", 1, 8);
        assertTrue(refusal("{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": -1}").contains("\"q.qzeros\": missing"));
        assertTrue(refusal("{\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": -1}").contains("\"q.qzeros\": missing"));
        assertTrue(refusal("null").contains("\"q.qweight\""));
    }

    @Test
    void awq_refusesPartsOfBlocks() throws Exception {
        tensor("q.qweight", "I32", 12, 1).tensor("q.qzeros", "I32", 1, 1).tensor("q.scales", "F16", 1, 8);
        assertTrue(refusal("{\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": -1}").contains("a multiple of 8 inputs"));
    }

    @Test
    void awq() throws Exception {
        tensor("q.qweight", "I32", 64, 2).tensor("q.qzeros", "I32", 2, 2).tensor("q.scales", "F16", 2, 16);
        check("{\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": 32, \"zero_point\": true, \"version\": \"gemm\"}",
                "q.weight", Encoding.AWQ_4, "32 F16", Shape.of(16, 64), 512, 16, 64);
        check("{\"quant_method\": \"awq\", \"w_bit\": 4, \"q_group_size\": 32, \"version\": \"GEMM\", \"modules_to_not_convert\": null}",
                "q.weight", Encoding.AWQ_4, "32 F16", Shape.of(16, 64), 512, 16, 64);
        assertTrue(refusal("{\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": 32, \"version\": \"gemv\"}").contains("version"));
        assertTrue(refusal("{\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": 32, \"zero_point\": false}").contains("zero_point"));
    }

    @Test
    void fp8_blocks() throws Exception {
        tensor("q.weight", "F8_E4M3", 130, 200).tensor("q.weight_scale_inv", "F32", 2, 2).tensor("embed.weight", "BF16", 4, 8);
        String config = "{\"quant_method\": \"fp8\", \"fmt\": \"e4m3\", \"activation_scheme\": \"dynamic\", \"weight_block_size\": [128, 128]}";
        check(config, "q.weight", Encoding.FP8_BLOCK, "128 128 F32", Shape.of(130, 200), 26000, 16);
        assertTrue(refusal(config.replace("e4m3", "e5m2")).contains("quantization_config.fmt"));
        assertTrue(refusal(config.replace("[128, 128]", "[64, 128]")).contains("\"q.weight_scale_inv\""));
        assertTrue(refusal("null").contains("\"q.weight\""));
    }

    @Test
    void fp8_oneScale() throws Exception {
        tensor("q.weight", "F8_E4M3", 6, 10).tensor("q.weight_scale", "BF16").tensor("q.input_scale", "F32", 1);
        check("{\"quant_method\": \"fp8\", \"activation_scheme\": \"static\"}", "q.weight", Encoding.FP8_CHANNEL, "BF16",
                Shape.of(6, 10), 60, 2);
    }

    @Test
    void fp8_channels() throws Exception {
        tensor("q.weight", "F8_E4M3", 6, 10).tensor("q.weight_scale", "F32", 6, 1).tensor("q.input_scale_ub", "F32", 1);
        check("{\"quant_method\": \"fbgemm_fp8\", \"activation_scale_ub\": 1200.0}", "q.weight", Encoding.FP8_CHANNEL, "F32",
                Shape.of(6, 10), 60, 24);
        String config = """
                {"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": ["lm_head"], "kv_cache_scheme": null,
                 "quantization_status": "compressed", "config_groups": {"group_0": {"targets": ["Linear"], "output_activations": null,
                 "input_activations": {"num_bits": 8, "dynamic": true}, "weights": {"num_bits": 8, "type": "float",
                 "strategy": "channel", "symmetric": true, "dynamic": false, "group_size": null, "block_structure": null,
                 "observer": "minmax", "observer_kwargs": {}, "actorder": null}}}}""";
        check(config, "q.weight", Encoding.FP8_CHANNEL, "F32", Shape.of(6, 10), 60, 24);
        assertTrue(refusal(config.replace("\"num_bits\": 8, \"type\": \"float\"", "\"num_bits\": 4, \"type\": \"int\""))
                .contains("quantization_config.config_groups.group_0.weights.num_bits"));
        assertTrue(refusal(config.replace("float-quantized", "pack-quantized")).contains("quantization_config.format"));
    }

    @Test
    void mxfp4() throws Exception {
        tensor("e.up_blocks", "U8", 2, 3, 4, 16).tensor("e.up_scales", "U8", 2, 3, 4).tensor("e.up_bias", "BF16", 2, 3);
        check("{\"quant_method\": \"mxfp4\", \"modules_to_not_convert\": []}", "e.up", Encoding.MXFP4_PAIRS, "", Shape.of(2, 3, 128), 384, 24);
        assertTrue(refusal("{\"quant_method\": \"nosuch\"}").contains("quantization_config.quant_method"));
    }

    @Test
    void integersThatAreNoWeightsAreLeftOut() throws Exception {
        tensor("embeddings.position_ids", "I64", 1, 8).tensor("a.weight", "F32", 2, 2);
        try (Checkpoint c = open("null")) {
            assertEquals(Set.of("a.weight"), c.weights().names());
        }
    }
}
