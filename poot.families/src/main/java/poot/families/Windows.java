package poot.families;

import java.util.List;
import java.util.Optional;
import poot.api.model.ConfigException;
import poot.families.standard.Fields;
import poot.families.standard.StandardParams;

/** The sliding windows of decoders that choose them layer by layer. */
final class Windows {
    private Windows() {}

    /**
     * {@code sliding_window} on the layers that {@code layer_types} names or, without it, on those from
     * {@code max_window_layers} on; none unless {@code use_sliding_window}.
     */
    static StandardParams.Builder byLayer(Fields f, StandardParams.Builder p) throws ConfigException {
        if (f.isGguf()) {
            return p;
        }
        boolean used = f.flag("use_sliding_window", false);
        int from = f.config().integer("max_window_layers", 0, Fields.MAX_TOKENS, 28);
        int window = used ? f.window(4096) : f.window();
        Optional<List<Boolean>> sliding = f.slidingLayers(f.layers());
        if (window == 0 && sliding.isPresent() && sliding.get().contains(true)) {
            throw f.config().invalid("layer_types", "sliding_attention", "full_attention without a sliding_window");
        }
        if (!used && sliding.isEmpty()) {
            return p;
        }
        return p.layers((i, l) -> {
            boolean slides = sliding.isPresent() ? sliding.get().get(i) : i >= from;
            return l.attention(a -> a.withWindow(slides ? window : 0));
        });
    }
}
