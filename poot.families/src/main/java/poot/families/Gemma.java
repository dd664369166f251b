package poot.families;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import poot.api.graph.Composite.Activation;
import poot.api.model.ConfigException;
import poot.families.components.AttentionParams.Span;
import poot.families.components.Residual.Placement;
import poot.families.components.Rotary;
import poot.families.standard.Field;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;
import poot.families.standard.WeightNames;

/**
 * What the Gemma families share: norms before and after every block, weights of norms stored less one (a GGUF stores
 * them whole), a gate of tanh-GELU, the embedding scaled by the root of its width, a head tied to it.
 */
final class Gemma {
    private Gemma() {}

    /**
     * The shared block.
     *
     * @param largest the layers of the family's largest model, whose scores go by hidden/heads rather than by head;
     *                only a GGUF, which says nothing of it, is told by that
     * @param qkNorm  whether queries and keys are normalised by head
     */
    static StandardParams.Builder gemma(Fields f, Rotary rotary, int largest, boolean qkNorm) throws ConfigException {
        f.require("use_bidirectional_attention", false, "attention is causal");
        f.inert("hidden_act");
        Activation activation = f.isGguf() ? Activation.GELU_TANH
                : f.activation("hidden_activation", Optional.of(Activation.GELU_TANH));
        int hidden = f.extent(Field.HIDDEN);
        int head = f.heads().dim();
        double width = f.layers() == largest ? (double) hidden / f.heads().query() : head;
        double scale = 1 / Math.sqrt(f.isGguf() ? width : Fields.positive(f.config(), "query_pre_attn_scalar", 256));
        StandardParams.Builder p = f.dense(rotary, activation);
        return p.attention(a -> qkNorm ? a.withQkNorm(p.norm(), Span.HEAD).withScale(scale) : a.withScale(scale))
                .bias(f.flag("attention_bias", false), false)
                .residual(r -> r.with(Placement.SANDWICH))
                .normOffset(f.isGguf() ? 0 : 1)
                .embeddingScale(Math.sqrt(hidden))
                .tiedHead(f.tied(true));
    }

    /** Which layers slide: those {@code layer_types} names, or all but every {@code period}-th. */
    static List<Boolean> sliding(Fields f, int period) throws ConfigException {
        int layers = f.layers();
        Optional<List<Boolean>> named = f.slidingLayers(layers);
        if (named.isPresent()) {
            return named.get();
        }
        List<Boolean> out = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            out.add((i + 1) % period != 0);
        }
        return out;
    }

    /** A cap on scores or logits; the fallback where the key is absent, 0 where it is null. */
    static double cap(Fields f, Field field, double fallback) throws ConfigException {
        return f.config().keys().contains(f.key(field)) ? f.positive(field, 0) : fallback;
    }

    /** The names of the norms, which Hugging Face gives by place. */
    static WeightNames names(WeightNames names) {
        return names.hf("feed_forward.norm", "pre_feedforward_layernorm");
    }
}
