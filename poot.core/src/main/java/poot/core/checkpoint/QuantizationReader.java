package poot.core.checkpoint;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import poot.api.model.CheckpointException;

/**
 * Reads {@code quantization_config}. Keys that only describe how the checkpoint was made or how another engine
 * runs it are known by name and skipped; any other key, and any value without a reader, is refused by name.
 */
final class QuantizationReader {
    private static final Set<String> GPTQ_SKIPPED = Set.of(
            "damp_percent", "damp_auto_increment", "static_groups", "sym", "true_sequential", "model_name_or_path",
            "model_file_base_name", "lm_head", "meta", "dataset", "tokenizer", "batch_size", "block_name_to_quantize",
            "cache_block_outputs", "disable_exllama", "use_exllama", "exllama_config", "max_input_length",
            "model_seqlen", "module_name_preceding_first_block", "modules_in_block_to_quantize", "pad_token_id",
            "use_cuda_fp16", "backend", "mse", "quantizer", "hyb_act", "act_group_aware", "offload_to_disk",
            "offload_to_disk_path", "failsafe", "modules_to_not_convert");
    private static final Set<String> AWQ_SKIPPED = Set.of(
            "backend", "modules_to_not_convert", "do_fuse", "fuse_max_seq_len", "modules_to_fuse", "exllama_config");
    private static final Set<String> FP8_SKIPPED = Set.of(
            "activation_scheme", "modules_to_not_convert", "ignored_layers", "scale_fmt", "activation_scale_ub",
            "dequantize");
    private static final Set<String> COMPRESSED_SKIPPED = Set.of(
            "ignore", "global_compression_ratio", "quantization_status", "version");
    private static final Set<String> GROUP_SKIPPED = Set.of("input_activations", "targets");
    private static final Set<String> WEIGHTS_SKIPPED = Set.of("observer", "observer_kwargs", "scale_dtype", "zp_dtype");

    private QuantizationReader() {}

    /** How the linears of a checkpoint with this configuration are packed. */
    static Quantization read(Path file, Map<String, Object> config) throws CheckpointException {
        String key = config.get("quantization_config") != null ? "quantization_config" : "compression_config";
        if (config.get(key) == null) {
            return new Quantization.None();
        }
        ConfigFields fields = ConfigFields.of(file, config, key);
        String method = fields.text("quant_method");
        return switch (method) {
            case "gptq" -> gptq(fields);
            case "awq" -> awq(fields);
            case "fp8" -> fp8(fields);
            case "fbgemm_fp8" -> fbgemm(fields);
            case "compressed-tensors" -> compressed(fields);
            case "mxfp4" -> mxfp4(fields);
            default -> throw fields.unsupported("quant_method");
        };
    }

    private static Quantization gptq(ConfigFields f) throws CheckpointException {
        f.require("bits", 4L);
        f.allow("pack_dtype", "int32");
        f.allow("is_marlin_format", false);
        f.allow("dynamic", Map.of());
        String packing = f.text("checkpoint_format", f.text("format", "gptq"));
        if (!packing.equals("gptq") && !packing.equals("gptq_v2")) {
            throw f.unsupported(f.has("checkpoint_format") ? "checkpoint_format" : "format");
        }
        int group = group(f, "group_size");
        boolean ordered = f.flag("desc_act", false);
        f.refuseOthers(GPTQ_SKIPPED);
        return new Quantization.Gptq(group, packing.equals("gptq"), ordered);
    }

    private static Quantization awq(ConfigFields f) throws CheckpointException {
        f.require(f.has("w_bit") ? "w_bit" : "bits", 4L);
        f.allow("w_bit", 4L);
        f.allow("bits", 4L);
        f.allow("zero_point", true);
        f.allow("version", "gemm", "GEMM");
        int group = group(f, f.has("q_group_size") ? "q_group_size" : "group_size");
        f.allow("group_size", (long) group);
        f.refuseOthers(AWQ_SKIPPED);
        return new Quantization.Awq(group);
    }

    private static int group(ConfigFields f, String key) throws CheckpointException {
        int group = f.integer(key, -1, 1 << 20, 128);
        if (group == 0 || group > 0 && group % 8 != 0) {
            throw f.unsupported(key);
        }
        return group;
    }

    private static Quantization fp8(ConfigFields f) throws CheckpointException {
        f.allow("fmt", "e4m3", "float8_e4m3fn");
        f.allow("kv_cache_scheme");
        Quantization.Grain grain = f.has("weight_block_size") ? block(f, "weight_block_size") : new Quantization.Grain.Tensor();
        f.refuseOthers(FP8_SKIPPED);
        return new Quantization.Fp8(grain);
    }

    private static Quantization.Grain block(ConfigFields f, String key) throws CheckpointException {
        if (f.raw(key) instanceof List<?> l && l.size() == 2 && l.get(0) instanceof Long rows && l.get(1) instanceof Long columns
                && rows >= 1 && rows <= 1 << 20 && columns >= 1 && columns <= 1 << 20) {
            return new Quantization.Grain.Block((int) (long) rows, (int) (long) columns);
        }
        throw f.unsupported(key);
    }

    private static Quantization fbgemm(ConfigFields f) throws CheckpointException {
        f.refuseOthers(FP8_SKIPPED);
        return new Quantization.Fp8(new Quantization.Grain.Channel());
    }

    private static Quantization compressed(ConfigFields f) throws CheckpointException {
        f.require("format", "float-quantized", "naive-quantized");
        f.allow("kv_cache_scheme");
        f.allow("sparsity_config", Map.of());
        f.allow("transform_config", Map.of());
        ConfigFields groups = f.object("config_groups");
        if (groups.keys().size() != 1) {
            throw f.unsupported("config_groups");
        }
        f.refuseOthers(COMPRESSED_SKIPPED);
        ConfigFields group = groups.object(groups.keys().iterator().next());
        group.allow("output_activations");
        group.allow("format", "float-quantized", "naive-quantized");
        ConfigFields weights = group.object("weights");
        group.refuseOthers(GROUP_SKIPPED);
        weights.require("num_bits", 8L);
        weights.require("type", "float");
        weights.allow("symmetric", true);
        weights.allow("dynamic", false);
        weights.allow("actorder");
        weights.allow("group_size");
        Quantization.Grain grain = switch (weights.text("strategy")) {
            case "tensor" -> new Quantization.Grain.Tensor();
            case "channel" -> new Quantization.Grain.Channel();
            case "block" -> block(weights, "block_structure");
            default -> throw weights.unsupported("strategy");
        };
        if (!(grain instanceof Quantization.Grain.Block)) {
            weights.allow("block_structure");
        }
        weights.refuseOthers(WEIGHTS_SKIPPED);
        return new Quantization.Fp8(grain);
    }

    private static Quantization mxfp4(ConfigFields f) throws CheckpointException {
        f.refuseOthers(Set.of("modules_to_not_convert", "dequantize"));
        return new Quantization.Mxfp4();
    }
}
