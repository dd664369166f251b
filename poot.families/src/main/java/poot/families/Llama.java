package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.ModelConfig.ToolFormat;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;

/** Llama 1 to 3 (Touvron et al. 2023, Grattafiori et al. 2024); in a GGUF also Mistral, whose converter writes this key. */
final class Llama implements DenseFamily {
    @Override
    public String name() {
        return "llama";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("llama"), gguf("llama"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        String experts = f.key("expert_count", "num_local_experts");
        if (f.config().integer(experts, 0, Fields.MAX_EXTENT, 0) > 0) {
            throw f.config().unsupported(experts, "this family has no experts");
        }
        f.require("rope_interleaved", false, "queries and keys are stored for pairs of halves");
        f.inert("is_llama_config", "max_sequence_length");
        int window = f.isGguf() ? f.window() : 0;
        return DenseFamily.denseInterleaved(f)
                .bias(f.flag("attention_bias", false), f.flag("mlp_bias", false))
                .attention(a -> a.withWindow(window))
                .tiedHead(f.tied(false)).tools(ToolFormat.LLAMA3).build();
    }
}
