package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.families.components.AttentionParams.Span;
import poot.families.components.Residual.Placement;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;

/** OLMo 2 (OLMo team 2024): norms after the blocks, and RMS norm over the whole projections of queries and keys. */
final class Olmo2 implements DenseFamily {
    @Override
    public String name() {
        return "olmo2";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("olmo2"), gguf("olmo2"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        StandardParams.Builder p = DenseFamily.dense(f);
        return p.bias(f.flag("attention_bias", false), false)
                .attention(a -> a.withQkNorm(p.norm(), Span.PROJECTION))
                .residual(r -> r.with(Placement.POST))
                .tiedHead(f.tied(false)).build();
    }
}
