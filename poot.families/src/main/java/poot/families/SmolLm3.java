package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.ArrayList;
import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.ModelConfig.ToolFormat;
import poot.families.components.AttentionParams.Positions;
import poot.families.components.Rotary;
import poot.families.standard.Fields;
import poot.families.standard.RopeConfig;
import poot.families.standard.StandardParams;

/** SmolLM 3 (Hugging Face 2025): Llama's block, without positions on some layers: every fourth, or those listed. */
final class SmolLm3 implements DenseFamily {
    @Override
    public String name() {
        return "smollm3";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("smollm3"), gguf("smollm3"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        List<Boolean> turned = turned(f);
        f.require("use_sliding_window", false, "sliding windows are not traced by this family");
        if (f.slidingLayers(f.layers()).stream().anyMatch(l -> l.contains(true))) {
            throw f.config().unsupported("layer_types", "sliding windows are not traced by this family");
        }
        f.inert("sliding_window", "max_window_layers");
        Rotary rotary = RopeConfig.of(f).interleavedInGguf(true).theta(2_000_000).read();
        return DenseFamily.dense(f, rotary)
                .bias(f.flag("attention_bias", false), f.flag("mlp_bias", false))
                .layers((i, l) -> turned.get(i) ? l : l.attention(a -> a.withPositions(new Positions.None())))
                .tiedHead(f.tied(true)).tools(ToolFormat.HERMES).build();
    }

    /** Whether each layer's queries and keys are rotated. */
    private static List<Boolean> turned(Fields f) throws ConfigException {
        int layers = f.layers();
        int interval = f.isGguf() ? 4 : f.config().integer("no_rope_layer_interval", 1, Fields.MAX_LAYERS, 4);
        if (!f.isGguf() && f.config().has("no_rope_layers")) {
            List<Integer> listed = f.config().integers("no_rope_layers", 0, 1);
            if (listed.size() != layers) {
                throw f.config().invalid("no_rope_layers", listed, "0 or 1 for each of the " + layers + " layers");
            }
            return listed.stream().map(x -> x == 1).toList();
        }
        List<Boolean> out = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            out.add((i + 1) % interval != 0);
        }
        return out;
    }
}
