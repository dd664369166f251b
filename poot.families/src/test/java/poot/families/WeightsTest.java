package poot.families;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.model.ConfigSource;
import poot.api.model.Model;
import poot.api.model.WeightException;
import poot.api.model.WeightView;

/** Roles find their tensors, and a tensor that nobody reads is not passed over. */
class WeightsTest {
    private static WeightException refused(Map<String, Object> config, NamedTensors tensors) {
        return assertThrows(WeightException.class, () -> Checkpoints.build(ConfigSource.HF, config, tensors));
    }

    @Test
    void aCheckpointIsReadUnderEitherRoot() throws Exception {
        for (String root : new String[] {"model.", ""}) {
            Model m = Checkpoints.build(ConfigSource.HF, Checkpoints.llama(), Checkpoints.tensors(root));
            assertEquals(root + "layers.1.self_attn.q_proj.weight",
                    m.weights().views().get(new Role("layers.1.attention.query")).tensor());
            assertEquals(Set.of(1, 2), m.config().endOfSequence());
        }
    }

    @Test
    void aFusedProjectionIsReadAsRowsOfItsTensor() throws Exception {
        Model m = Checkpoints.build(ConfigSource.GGUF, Checkpoints.ggufLlama(), Checkpoints.ggufTensors());
        assertEquals(new WeightView.RowRange("blk.1.attn_qkv.weight", 16, 24, 32, Shape.of(8, 16)),
                m.weights().views().get(new Role("layers.1.attention.key")));
        assertFalse(m.weights().views().containsKey(Role.of("head")), "without a head of its own the head is tied");
        assertEquals(Set.of(1, 3), m.config().endOfSequence());
    }

    @Test
    void storedBiasesOfAGgufAreRead() throws Exception {
        NamedTensors t = Checkpoints.ggufTensors();
        for (int i = 0; i < 2; i++) {
            t.with("blk." + i + ".attn_qkv.bias", 32);
        }
        Model m = Checkpoints.build(ConfigSource.GGUF, Checkpoints.ggufLlama(), t);
        assertTrue(m.weights().views().containsKey(new Role("layers.0.attention.value.bias")));
        assertFalse(m.weights().views().containsKey(new Role("layers.0.attention.output.bias")));
    }

    @Test
    void aTensorNobodyReadsIsRefused() {
        WeightException e = refused(Checkpoints.llama(), Checkpoints.tensors("model.").with("model.extra.weight", 1));
        assertEquals(new WeightException.Unread("model.extra.weight"), e.fault());
        e = refused(Checkpoints.llama(), Checkpoints.tensors("model.").with("model.layers.0.self_attn.q_proj.bias", 16));
        assertEquals(new WeightException.Unread("model.layers.0.self_attn.q_proj.bias"), e.fault());
    }

    @Test
    void tablesAndTheTiedHeadAreInert() throws Exception {
        NamedTensors t = Checkpoints.tensors("model.").with("model.layers.0.self_attn.rotary_emb.inv_freq", 2);
        Model m = Checkpoints.build(ConfigSource.HF, Checkpoints.with("tie_word_embeddings", true), t);
        assertFalse(m.weights().tensors().contains("lm_head.weight"));
    }

    @Test
    void whatIsMissingIsNamed() {
        WeightException e = refused(Checkpoints.with("num_hidden_layers", 1024L), Checkpoints.tensors("model."));
        assertEquals("model.layers.1023.*", e.fault().tensor());
        e = refused(Checkpoints.llama(), Checkpoints.tensors("model.").without("lm_head.weight"));
        assertEquals(new WeightException.Missing("lm_head.weight", Role.of("head")), e.fault());
        e = refused(Checkpoints.with("vocab_size", 40L), Checkpoints.tensors("model."));
        assertEquals(new WeightException.WrongShape("model.embed_tokens.weight", Shape.of(40, 16), Shape.of(32, 16)), e.fault());
    }
}
