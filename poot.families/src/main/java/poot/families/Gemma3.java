package poot.families;

import static poot.api.model.FamilyKey.gguf;
import static poot.api.model.FamilyKey.hf;

import java.util.List;
import poot.api.model.ConfigException;
import poot.api.model.FamilyKey;
import poot.api.model.RawConfig;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.families.components.AttentionParams;
import poot.families.components.RopeFrequencies;
import poot.families.components.Rotary;
import poot.families.standard.Field;
import poot.families.standard.Fields;
import poot.families.standard.RopeConfig;
import poot.families.standard.StandardParams;
import poot.families.standard.WeightNames;

/**
 * The text model of Gemma 3 (Gemma team 2025): queries and keys normalised by head, five sliding layers to a full one,
 * and another rotary embedding on the sliding ones.
 */
final class Gemma3 implements DenseFamily {
    @Override
    public String name() {
        return "gemma3";
    }

    @Override
    public List<FamilyKey> keys() {
        return List.of(hf("gemma3_text"), hf("gemma3"), gguf("gemma3"));
    }

    @Override
    public StandardParams configure(Fields f) throws ConfigException {
        RawConfig c = f.config();
        if (!f.isGguf() && c.text("model_type").equals("gemma3")) {
            throw c.unsupported(c.has("vision_config") ? "vision_config" : "model_type",
                    "images are not read; the text model alone has model_type gemma3_text");
        }
        List<Boolean> sliding = Gemma.sliding(f, period(f));
        f.inert("_sliding_window_pattern", "sliding_window_pattern");
        int window = f.window();
        if (!f.isGguf() && window == 0 && sliding.contains(true)) {
            throw c.invalid("sliding_window", c.raw("sliding_window"), "the positions that sliding layers see");
        }
        Rotary full = full(f);
        Rotary local = window == 0 ? full : local(f);
        if (byKind(f)) {
            for (String kind : c.object("rope_parameters").unread()) {
                throw c.object("rope_parameters").unknown(kind);
            }
        }
        double cap = Gemma.cap(f, Field.SOFTCAP, 0);
        return Gemma.gemma(f, full, 62, true)
                .layers((i, l) -> l.attention(a -> sliding.get(i) ? slide(a, local, window, cap) : a.withSoftcap(cap)))
                .logitSoftcap(Gemma.cap(f, Field.LOGIT_SOFTCAP, 0)).build();
    }

    private static AttentionParams slide(AttentionParams a, Rotary local, int window, double cap) {
        return a.withRotary(local).withWindow(window).withSoftcap(cap);
    }

    private static int period(Fields f) throws ConfigException {
        String key = f.key("attention.sliding_window_pattern",
                f.config().has("_sliding_window_pattern") ? "_sliding_window_pattern" : "sliding_window_pattern");
        return f.config().integer(key, 1, Fields.MAX_LAYERS, 6);
    }

    private static Rotary full(Fields f) throws ConfigException {
        RopeConfig rope = RopeConfig.of(f).theta(1_000_000);
        return byKind(f) ? rope.parameters(f.config().object("rope_parameters").object("full_attention")).read() : rope.read();
    }

    private static Rotary local(Fields f) throws ConfigException {
        RawConfig c = f.config();
        if (byKind(f)) {
            return RopeConfig.of(f).theta(10_000).parameters(c.object("rope_parameters").object("sliding_attention")).read();
        }
        double theta = Fields.positive(c, f.key("rope.freq_base_swa", "rope_local_base_freq"), 10_000);
        int dims = full(f).dims();
        return Rotary.of(dims, false, RopeFrequencies.plain(dims, theta));
    }

    /** Whether rotary parameters are given for each kind of layer. */
    private static boolean byKind(Fields f) throws ConfigException {
        return !f.isGguf() && f.config().has("rope_parameters") && f.config().object("rope_parameters").has("full_attention");
    }

    @Override
    public WeightMap weights(StandardParams p, WeightNames names) throws WeightException {
        return Gemma.names(names).standard(p);
    }
}
