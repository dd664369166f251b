package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.ModelConfig.ToolFormat;
import poot.families.components.AttentionParams.Span;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;

/** Qwen 3 (Yang et al. 2025): Llama's block with per-head RMS norm on queries and keys. */
final class Qwen3 implements DenseFamily {
    @Override
    public String name() {
        return "qwen3";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("qwen3"), gguf("qwen3"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        StandardParams.Builder p = Windows.byLayer(f, DenseFamily.dense(f));
        return p.bias(f.flag("attention_bias", false), false)
                .attention(a -> a.withQkNorm(p.norm(), Span.HEAD))
                .tiedHead(f.tied(false)).tools(ToolFormat.HERMES).build();
    }
}
