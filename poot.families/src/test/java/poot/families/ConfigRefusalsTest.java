package poot.families;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.model.ConfigException;
import poot.api.model.ConfigSource;

/** Every value a family cannot trace is refused by its key, cheaply. */
class ConfigRefusalsTest {
    private static final Class<?> MISSING = ConfigException.Missing.class;
    private static final Class<?> INVALID = ConfigException.Invalid.class;
    private static final Class<?> UNSUPPORTED = ConfigException.Unsupported.class;
    private static final Class<?> UNKNOWN = ConfigException.Unknown.class;

    static Stream<Arguments> wrong() {
        return Stream.of(
                refused(Checkpoints.without("hidden_size"), MISSING, "hidden_size"),
                refused(Checkpoints.without("num_hidden_layers"), MISSING, "num_hidden_layers"),
                refused(Checkpoints.without("rms_norm_eps"), MISSING, "rms_norm_eps"),
                refused(Checkpoints.with("hidden_size", 1L << 31), INVALID, "hidden_size"),
                refused(Checkpoints.with("num_hidden_layers", (1L << 31) - 1), INVALID, "num_hidden_layers"),
                refused(Checkpoints.with("vocab_size", 1L << 40), INVALID, "vocab_size"),
                refused(Checkpoints.with("num_attention_heads", 0L), INVALID, "num_attention_heads"),
                refused(Checkpoints.with("num_attention_heads", -2L), INVALID, "num_attention_heads"),
                refused(Checkpoints.with("num_attention_heads", 3L), INVALID, "num_key_value_heads"),
                refused(Checkpoints.with("num_key_value_heads", 3L), INVALID, "num_key_value_heads"),
                refused(Checkpoints.with("head_dim", 5L), INVALID, "num_attention_heads"),
                refused(Checkpoints.with("head_dim", 1L << 20), INVALID, "head_dim"),
                refused(Checkpoints.with("rms_norm_eps", -1.0), INVALID, "rms_norm_eps"),
                refused(Checkpoints.with("rms_norm_eps", Double.NaN), INVALID, "rms_norm_eps"),
                refused(Checkpoints.with("rope_theta", 0.0), INVALID, "rope_theta"),
                refused(Checkpoints.with("eos_token_id", 32L), INVALID, "eos_token_id[0]"),
                refused(Checkpoints.with("hidden_act", "nosuch"), UNSUPPORTED, "hidden_act"),
                refused(Checkpoints.with("num_local_experts", 8L), UNSUPPORTED, "num_local_experts"),
                refused(Checkpoints.with("n_layer", 3L), INVALID, "n_layer"),
                refused(Checkpoints.with("hiden_size", 8L), UNKNOWN, "hiden_size"),
                refused(Checkpoints.with("rope_scaling", Map.of("rope_type", "nosuch")), UNSUPPORTED, "rope_scaling.rope_type"),
                refused(Checkpoints.with("rope_scaling", Map.of("type", "dynamic", "factor", 2.0)), UNSUPPORTED, "rope_scaling.type"),
                refused(Checkpoints.with("rope_scaling", Map.of("rope_type", "llama3", "factor", 8.0)), MISSING,
                        "rope_scaling.low_freq_factor"),
                refused(Checkpoints.with("rope_scaling", Map.of("type", "linear", "factor", 2.0, "faktor", 3.0)), UNKNOWN,
                        "rope_scaling.faktor"),
                refused(Checkpoints.with("rope_scaling", Map.of("type", "longrope", "short_factor", List.of(1.0),
                        "long_factor", List.of(1.0))), INVALID, "rope_scaling.short_factor"),
                refused(Map.of("model_type", "gemma3", "vision_config", Map.of()), UNSUPPORTED, "vision_config"));
    }

    private static Arguments refused(Map<String, Object> config, Class<?> fault, String key) {
        return Arguments.of(config, fault, key);
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void isRefusedByItsKey(Map<String, Object> config, Class<?> fault, String key) {
        ConfigException e = assertTimeoutPreemptively(Duration.ofSeconds(5), () -> assertThrows(ConfigException.class,
                () -> Checkpoints.build(ConfigSource.HF, config, Checkpoints.tensors("model."))));
        assertEquals(fault, e.fault().getClass());
        assertEquals(key, e.fault().key());
    }

    @Test
    void aGgufIsReadAsStrictly() {
        Map<String, Object> c = Checkpoints.ggufLlama();
        c.put("llama.attention.mystery", 1L);
        ConfigException e = assertThrows(ConfigException.class,
                () -> Checkpoints.build(ConfigSource.GGUF, c, Checkpoints.ggufTensors()));
        assertEquals("llama.attention.mystery", e.fault().key());
    }

    @Test
    void whatSaysNothingOfTheFunctionIsPassedOver() throws Exception {
        Map<String, Object> c = Checkpoints.with("attention_dropout", 0.5);
        c.put("torch_dtype", "bfloat16");
        c.put("transformers_version", "5.0.0");
        c.put("architectures", List.of("LlamaForCausalLM"));
        Checkpoints.build(ConfigSource.HF, c, Checkpoints.tensors("model."));
    }
}
