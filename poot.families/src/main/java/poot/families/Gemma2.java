package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.families.standard.Field;
import poot.families.standard.Fields;
import poot.families.standard.RopeConfig;
import poot.families.standard.StandardParams;
import poot.families.standard.WeightNames;

/** Gemma 2 (Gemma team 2024): capped scores and logits, a sliding window on every other layer. */
final class Gemma2 implements DenseFamily {
    @Override
    public String name() {
        return "gemma2";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("gemma2"), gguf("gemma2"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        int window = f.window(4096);
        int again = f.config().integer("sliding_window_size", 1, Fields.MAX_TOKENS, window);
        if (again != window) {
            throw f.config().invalid("sliding_window_size", again, "the same as sliding_window");
        }
        List<Boolean> sliding = Gemma.sliding(f, 2);
        double cap = Gemma.cap(f, Field.SOFTCAP, 50);
        return Gemma.gemma(f, RopeConfig.of(f).read(), 46, false)
                .layers((i, l) -> l.attention(a -> a.withSoftcap(cap).withWindow(sliding.get(i) ? window : 0)))
                .logitSoftcap(Gemma.cap(f, Field.LOGIT_SOFTCAP, 30)).build();
    }

    @Override
    public WeightMap weights(StandardParams p, WeightNames names) throws WeightException {
        return Gemma.names(names).standard(p);
    }
}
