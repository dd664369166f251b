package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.ModelConfig.ToolFormat;
import poot.families.standard.Field;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;

/** Granite 3 (IBM 2024): Llama's block with a factor on embedding, scores, residuals and logits. */
final class Granite implements DenseFamily {
    @Override
    public String name() {
        return "granite";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("granite"), gguf("granite"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        double usual = f.isGguf() ? 1 / Math.sqrt(f.heads().dim()) : 1;
        double scores = f.positive(Field.ATTENTION_SCALE, usual);
        double residual = f.positive(Field.RESIDUAL_SCALE, 1);
        return DenseFamily.denseInterleaved(f)
                .bias(f.flag("attention_bias", false), f.flag("mlp_bias", false))
                .attention(a -> a.withScale(scores))
                .residual(r -> r.withMultiplier(residual))
                .embeddingScale(f.positive(Field.EMBEDDING_SCALE, 1))
                .logitScale(1 / f.positive(Field.LOGIT_DIVISOR, 1))
                .tiedHead(f.tied(false)).tools(ToolFormat.NONE).build();
    }
}
