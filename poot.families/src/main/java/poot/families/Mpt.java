package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.graph.Composite.Activation;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.RawConfig;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.families.components.AttentionParams;
import poot.families.components.AttentionParams.Heads;
import poot.families.components.AttentionParams.Positions;
import poot.families.components.FeedForward;
import poot.families.components.Norm;
import poot.families.standard.Field;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;
import poot.families.standard.WeightNames;

/**
 * MPT (MosaicML 2023): layer norms and projections without bias, ALiBi, clamped queries, keys and values, a plain
 * feed-forward. Its GELU is the erf form; a GGUF stands for the tanh form, as the program that defines it computes.
 */
final class Mpt implements DenseFamily {
    @Override
    public String name() {
        return "mpt";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("mpt"), gguf("mpt"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        Norm norm = Norm.layer(f.isGguf() ? f.epsilon(Field.LAYER_EPS) : (float) f.positive(Field.LAYER_EPS, 1e-5), false);
        Heads h = f.heads();
        AttentionParams attention = AttentionParams.of(h.query(), h.groups(), h.dim());
        return f.isGguf() ? fromGguf(f, norm, attention) : fromHf(f, norm, attention);
    }

    private static StandardParams fromGguf(Fields f, Norm norm, AttentionParams attention) throws ConfigException {
        float maxBias = (float) Fields.positive(f.config(), f.gguf("attention.max_alibi_bias"));
        double clip = f.config().number(f.gguf("attention.clamp_kqv"), 0);
        FeedForward feedForward = new FeedForward.Plain(f.extent(Field.FEED_FORWARD), Activation.GELU_TANH, false);
        return f.decoder(norm, attention.withPositions(new Positions.Alibi(maxBias)).withClip((float) Math.max(clip, 0)), feedForward)
                .tiedHead(true).build();
    }

    private static StandardParams fromHf(Fields f, Norm norm, AttentionParams attention) throws ConfigException {
        f.require("no_bias", true, "projections and norms have no bias");
        if (f.config().has("logit_scale")) {
            throw f.config().unsupported("logit_scale", "logits are not scaled");
        }
        String normType = f.config().text("norm_type", "low_precision_layernorm");
        if (!normType.equals("low_precision_layernorm") && !normType.equals("layernorm")) {
            throw f.config().unsupported("norm_type", "norms are layer norms");
        }
        f.inert("learned_pos_emb", "embedding_fraction", "init_config", "init_device", "tokenizer_name", "verbose");
        RawConfig c = f.config().object("attn_config");
        requireAlibi(c);
        double clip = Fields.positive(c, "clip_qkv", 0);
        double scale = Fields.positive(c, "softmax_scale", attention.scores().scale());
        float maxBias = (float) Fields.positive(c, "alibi_bias_max", 8);
        refuseUnread(c);
        int width = f.config().integer("expansion_ratio", 1, 64, 4) * f.extent(Field.HIDDEN);
        return f.decoder(norm, attention.withPositions(new Positions.Alibi(maxBias)).withClip((float) clip).withScale(scale),
                new FeedForward.Plain(width, Activation.GELU_ERF, false)).tiedHead(f.tied(true)).build();
    }

    private static void requireAlibi(RawConfig c) throws ConfigException {
        if (!c.flag("alibi", false)) {
            throw c.unsupported("alibi", "positions enter by ALiBi only");
        }
        for (String key : List.of("qk_ln", "prefix_lm", "attn_uses_sequence_id")) {
            if (c.flag(key, false)) {
                throw c.unsupported(key, "attention is plain and causal");
            }
        }
        if (!c.text("attn_type", "multihead_attention").equals("multihead_attention")) {
            throw c.unsupported("attn_type", "every head has its own keys and values");
        }
    }

    private static void refuseUnread(RawConfig c) throws ConfigException {
        for (String inert : List.of("attn_impl", "attn_pdrop", "model_type")) {
            c.raw(inert);
        }
        for (String key : c.unread()) {
            throw c.unknown(key);
        }
    }

    @Override
    public WeightMap weights(StandardParams p, WeightNames names) throws WeightException {
        WeightNames spelled = names.hf("embedding", "wte").hf("norm", "norm_f").hf("attention.norm", "norm_1")
                .hf("attention.output", "attn.out_proj").hf("feed_forward.norm", "norm_2")
                .hf("feed_forward.up", "ffn.up_proj").hf("feed_forward.down", "ffn.down_proj")
                .hfRoot("blocks.", "transformer.", "");
        return switch (names.source()) {
            case HF -> spelled.fused("attn.Wqkv", WeightNames.queryKeyValue(p.layers().get(0).attention().heads())).standard(p);
            case GGUF -> spelled.standard(p);
        };
    }
}
