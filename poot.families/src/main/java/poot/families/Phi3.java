package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.families.components.Rotary;
import poot.families.standard.Fields;
import poot.families.standard.LayerParams;
import poot.families.standard.RopeConfig;
import poot.families.standard.StandardParams;
import poot.families.standard.WeightNames;

/** Phi 3 and 4 (Abdin et al. 2024): Llama's block with fused projections and two sets of rotary factors. */
final class Phi3 implements DenseFamily {
    @Override
    public String name() {
        return "phi3";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("phi3"), gguf("phi3"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        f.require("attention_bias", false, "the projections have no bias");
        f.require("mlp_bias", false, "the feed-forward has no bias");
        f.require("lm_head_bias", false, "the head has no bias");
        f.inert("original_max_position_embeddings", "full_attn_mod", "interpolate_factor");
        Rotary rotary = RopeConfig.of(f).partial().read();
        int window = f.window();
        return DenseFamily.dense(f, rotary).attention(a -> a.withWindow(window)).tiedHead(f.tied(false)).build();
    }

    @Override
    public WeightMap weights(StandardParams p, WeightNames names) throws WeightException {
        LayerParams layer = p.layers().get(0);
        return switch (names.source()) {
            case HF -> names.fused("self_attn.qkv_proj", WeightNames.queryKeyValue(layer.attention().heads()))
                    .fused("mlp.gate_up_proj", WeightNames.gateUp(layer.feedForward())).standard(p);
            case GGUF -> names.fused("ffn_up", WeightNames.gateUp(layer.feedForward())).standard(p);
        };
    }
}
