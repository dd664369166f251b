package poot.families;

import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.ModelConfig.ToolFormat;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;

/** Mistral (Jiang et al. 2023): Llama's block, with a sliding window on every layer where one is given. */
final class Mistral implements DenseFamily {
    @Override
    public String name() {
        return "mistral";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("mistral"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        int window = f.window(4096);
        return DenseFamily.dense(f).attention(a -> a.withWindow(window))
                .tiedHead(f.tied(false)).tools(ToolFormat.MISTRAL).build();
    }
}
