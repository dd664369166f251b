package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.ModelConfig.ToolFormat;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;

/** Qwen 2 and 2.5 (Yang et al. 2024): Llama's block with biases on queries, keys and values. */
final class Qwen2 implements DenseFamily {
    @Override
    public String name() {
        return "qwen2";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("qwen2"), gguf("qwen2"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        f.require("use_mrope", false, "positions have one axis");
        return Windows.byLayer(f, DenseFamily.dense(f))
                .attention(a -> a.withBias(true, false))
                .tiedHead(f.tied(false)).tools(ToolFormat.HERMES).build();
    }
}
