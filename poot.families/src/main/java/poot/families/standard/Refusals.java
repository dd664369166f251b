package poot.families.standard;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Predicate;
import poot.api.graph.Role;
import poot.api.model.ConfigException;
import poot.api.model.RawConfig;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.api.model.WeightView;

/**
 * Turns down what a checkpoint says and nobody read. What is listed here says nothing about the function of a model:
 * who made it and how it was trained, how another program runs or samples it, what the readers of the checkpoint and
 * the tokenizer take.
 */
public final class Refusals {
    private static final Set<String> INERT_KEYS = Set.of(
            "_name_or_path", "architectures", "auto_map", "model_type", "torch_dtype", "dtype", "transformers_version",
            "transformers.js_config", "unsloth_fixed", "unsloth_version", "initializer_range", "initializer_factor",
            "use_cache", "cache_implementation", "_attn_implementation", "attn_implementation", "_attn_implementation_autoset",
            "use_flash_attn", "pretraining_tp", "gradient_checkpointing", "use_bfloat16", "torchscript", "output_attentions",
            "output_hidden_states", "return_dict", "tokenizer_class", "task_specific_params", "finetuning_task",
            "problem_type", "id2label", "label2id", "quantization_config", "is_encoder_decoder",
            "bos_token_id", "pad_token_id", "unk_token_id", "sep_token_id", "cls_token_id", "mask_token_id", "eos_token_id",
            "do_sample", "temperature", "top_k", "top_p", "max_length", "min_length", "max_new_tokens", "num_beams",
            "repetition_penalty", "length_penalty", "no_repeat_ngram_size", "num_return_sequences", "chunk_size_feed_forward");

    private static final List<String> INERT_ENDINGS = List.of("dropout", "dropout_prob", "dropout_rate", "_pdrop");

    private static final List<String> INERT_GGUF =
            List.of("general.", "tokenizer.", "split.", "quantize.", "GGUF.");

    /** Tables that are computed, never learned. */
    private static final List<String> INERT_TENSORS = List.of(
            "rotary_emb.inv_freq", ".attn_rot_embd.weight", ".attention.masked_bias", ".attention.bias", "position_ids");

    private Refusals() {}

    /** Refuses the first key that nobody read and that may matter. */
    public static void unreadKeys(RawConfig c) throws ConfigException {
        for (String key : c.unread()) {
            boolean inert = switch (c.source()) {
                case HF -> INERT_KEYS.contains(key) || INERT_ENDINGS.stream().anyMatch(key::endsWith);
                case GGUF -> INERT_GGUF.stream().anyMatch(key::startsWith);
            };
            if (!inert) {
                throw c.unknown(key);
            }
        }
    }

    /**
     * Refuses the first tensor that no role reads and that may matter; {@code inert} knows what else does not. One that
     * is missing comes first: a misnamed tensor is both.
     */
    public static void unreadTensors(SortedSet<String> present, WeightMap map, Predicate<String> inert) throws WeightException {
        for (Map.Entry<Role, WeightView> e : map.views().entrySet()) {
            if (!present.contains(e.getValue().tensor())) {
                throw new WeightException(new WeightException.Missing(e.getValue().tensor(), e.getKey()));
            }
        }
        Set<String> read = map.tensors();
        for (String name : present) {
            if (!read.contains(name) && INERT_TENSORS.stream().noneMatch(name::endsWith) && !inert.test(name)) {
                throw new WeightException(new WeightException.Unread(name));
            }
        }
    }
}
