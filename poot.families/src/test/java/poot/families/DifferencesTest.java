package poot.families;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import poot.api.model.ConfigException;
import poot.api.model.ConfigSource;
import poot.api.model.RawConfig;
import poot.families.EncoderParams.Result;
import poot.families.components.AttentionParams;
import poot.families.components.AttentionParams.Positions;
import poot.families.components.Residual.Placement;
import poot.families.components.Rotary;
import poot.families.standard.StandardParams;

/** What each family makes of the keys that are its own. */
class DifferencesTest {
    private static RawConfig hf(Map<String, Object> values) {
        return RawConfig.of(ConfigSource.HF, Path.of("config.json"), values);
    }

    private static AttentionParams attention(StandardParams p, int layer) {
        return p.layers().get(layer).attention();
    }

    private static Rotary rotary(StandardParams p, int layer) {
        return assertInstanceOf(Positions.Rotated.class, attention(p, layer).positions()).rotary();
    }

    private static Map<String, Object> gemma(Map<String, Object> more) {
        Map<String, Object> c = Checkpoints.llama();
        c.put("model_type", "gemma3_text");
        c.put("sliding_window", 8L);
        c.put("query_pre_attn_scalar", 16L);
        c.putAll(more);
        return c;
    }

    @Test
    void rotaryParametersOfTheNewerSpellingAreRead() throws Exception {
        StandardParams p = new Llama().configure(hf(Checkpoints.with("rope_parameters",
                Map.of("rope_type", "linear", "rope_theta", 100.0, "factor", 2.0))));
        assertEquals(0.5f, rotary(p, 0).within().perPosition().floatAt(0));
        assertEquals(0.05f, rotary(p, 0).within().perPosition().floatAt(1), 1e-8f);
    }

    @Test
    void aWindowThatIsAbsentIsTheUsualOneAndNullIsNone() throws Exception {
        Map<String, Object> c = Checkpoints.llama();
        assertEquals(4096, attention(new Mistral().configure(hf(c)), 0).scores().window());
        c.put("sliding_window", null);
        assertEquals(0, attention(new Mistral().configure(hf(c)), 0).scores().window());
        c.remove("sliding_window");
        c.put("use_sliding_window", true);
        assertEquals(0, attention(new Qwen3().configure(hf(c)), 0).scores().window());
        c.put("max_window_layers", 0L);
        assertEquals(4096, attention(new Qwen3().configure(hf(c)), 0).scores().window());
    }

    @Test
    void gemma3TurnsItsSlidingLayersOtherwise() throws Exception {
        StandardParams p = new Gemma3().configure(hf(gemma(Map.of("layer_types", List.of("sliding_attention", "full_attention"),
                "rope_parameters", Map.of("full_attention", Map.of("rope_type", "linear", "factor", 8.0, "rope_theta", 1e6),
                        "sliding_attention", Map.of("rope_type", "default", "rope_theta", 1e4))))));
        assertEquals(8, attention(p, 0).scores().window());
        assertEquals(0, attention(p, 1).scores().window());
        assertEquals(1f, rotary(p, 0).within().perPosition().floatAt(0));
        assertEquals(0.125f, rotary(p, 1).within().perPosition().floatAt(0));
        assertEquals(1f, attention(p, 0).qkNorm().orElseThrow().norm().offset());
        assertEquals(Placement.SANDWICH, p.layers().get(0).residual().placement());
        assertTrue(p.head().tied());
        ConfigException e = assertThrows(ConfigException.class, () -> new Gemma3().configure(hf(gemma(Map.of("rope_parameters",
                Map.of("full_attention", Map.of(), "sliding_attention", Map.of(), "other_attention", Map.of()))))));
        assertEquals("rope_parameters.other_attention", e.fault().key());
    }

    @Test
    void qwenSlidesFromALayerOn() throws Exception {
        Map<String, Object> c = Checkpoints.with("sliding_window", 16L);
        c.put("max_window_layers", 1L);
        assertEquals(0, attention(new Qwen2().configure(hf(c)), 1).scores().window());
        c.put("use_sliding_window", true);
        StandardParams p = new Qwen2().configure(hf(c));
        assertEquals(0, attention(p, 0).scores().window());
        assertEquals(16, attention(p, 1).scores().window());
    }

    @Test
    void smolLm3LeavesLayersUnturned() throws Exception {
        Map<String, Object> c = Checkpoints.with("no_rope_layers", List.of(0L, 1L));
        c.put("rope_theta", 5e4);
        StandardParams p = new SmolLm3().configure(hf(c));
        assertInstanceOf(Positions.None.class, attention(p, 0).positions());
        assertInstanceOf(Positions.Rotated.class, attention(p, 1).positions());
        c.put("no_rope_layers", List.of(1L));
        assertEquals("no_rope_layers", assertThrows(ConfigException.class, () -> new SmolLm3().configure(hf(c))).fault().key());
    }

    @Test
    void mptRefusesWhatItsAttentionDoesNotDo() {
        Map<String, Object> c = new HashMap<>(Map.of("model_type", "mpt", "d_model", 16L, "n_heads", 4L, "n_layers", 1L,
                "vocab_size", 32L, "max_seq_len", 64L));
        c.put("attn_config", Map.of("alibi", false));
        assertEquals("attn_config.alibi", assertThrows(ConfigException.class, () -> new Mpt().configure(hf(c))).fault().key());
        c.put("attn_config", Map.of("alibi", true, "qk_ln", true));
        assertEquals("attn_config.qk_ln", assertThrows(ConfigException.class, () -> new Mpt().configure(hf(c))).fault().key());
        c.put("attn_config", Map.of("alibi", true, "rope", true));
        assertEquals("attn_config.rope", assertThrows(ConfigException.class, () -> new Mpt().configure(hf(c))).fault().key());
    }

    private static Result.Pooled pooled(Map<String, Object> pooling, List<String> modules) throws ConfigException {
        List<Object> items = modules.stream().<Object>map(m -> Map.of("type", "sentence_transformers.models." + m)).toList();
        return SentencePooling.read(RawConfig.of(ConfigSource.HF, Path.of("config.json"), Map.of(), Map.of(
                "1_Pooling/config.json", RawConfig.of(ConfigSource.HF, Path.of("1_Pooling/config.json"), pooling),
                "modules.json", RawConfig.of(ConfigSource.HF, Path.of("modules.json"), Map.of("items", items)))), 16);
    }

    @Test
    void sentencesArePooledAsTheFilesBesideSay() throws Exception {
        assertEquals(new Result.Pooled(true, false), SentencePooling.read(hf(Map.of()), 16));
        assertEquals(new Result.Pooled(false, true), pooled(Map.of("pooling_mode_cls_token", true, "pooling_mode_mean_tokens", false),
                List.of("Transformer", "Pooling", "Normalize")));
        assertEquals(new Result.Pooled(true, false), pooled(Map.of("pooling_mode", "mean"), List.of("Transformer", "Pooling")));
        for (Map<String, Object> wrong : List.<Map<String, Object>>of(Map.of("pooling_mode_max_tokens", true), Map.of(),
                Map.of("pooling_mode", "lasttoken"), Map.of("pooling_mode_mean_tokens", true, "word_embedding_dimension", 8L))) {
            assertThrows(ConfigException.class, () -> pooled(wrong, List.of()));
        }
        ConfigException e = assertThrows(ConfigException.class, () -> pooled(Map.of("pooling_mode", "cls"), List.of("Dense")));
        assertEquals("items[0]", e.fault().key());
        assertFalse(pooled(Map.of("pooling_mode", "cls"), List.of()).mean());
    }
}
