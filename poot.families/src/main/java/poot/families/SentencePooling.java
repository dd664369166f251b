package poot.families;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import poot.api.model.ConfigException;
import poot.api.model.RawConfig;
import poot.families.EncoderParams.Result;
import poot.families.standard.Fields;

/** Reads how a sentence-transformers checkpoint makes an embedding of hidden states. */
final class SentencePooling {
    private static final String POOLING = "1_Pooling/config.json";
    private static final String MODULES = "modules.json";
    private static final String MODES = "pooling_mode_";

    private SentencePooling() {}

    /** The pooling that {@code 1_Pooling/config.json} names, the mean without it; normalised if {@code modules.json} says so. */
    static Result.Pooled read(RawConfig c, int hidden) throws ConfigException {
        boolean normalised = false;
        Optional<RawConfig> modules = c.companion(MODULES);
        if (modules.isPresent()) {
            List<?> items = modules.get().list("items");
            for (int i = 0; i < items.size(); i++) {
                normalised |= isNormalise(modules.get(), i, items.get(i));
            }
        }
        Optional<RawConfig> pooling = c.companion(POOLING);
        return new Result.Pooled(pooling.isEmpty() || isMean(pooling.get(), hidden), normalised);
    }

    private static boolean isNormalise(RawConfig modules, int index, Object item) throws ConfigException {
        String key = "items[" + index + "]";
        Object type = item instanceof Map<?, ?> m ? m.get("type") : null;
        String name = type instanceof String s ? s.substring(s.lastIndexOf('.') + 1) : "";
        return switch (name) {
            case "Normalize" -> true;
            case "Transformer" -> false;
            case "Pooling" -> {
                if (item instanceof Map<?, ?> m && m.get("path") instanceof String path && !POOLING.equals(path + "/config.json")) {
                    throw modules.invalid(key, path, "pooling in 1_Pooling");
                }
                yield false;
            }
            default -> throw modules.invalid(key, type, "a Transformer, Pooling or Normalize module");
        };
    }

    private static boolean isMean(RawConfig p, int hidden) throws ConfigException {
        int width = p.integer("word_embedding_dimension", 1, Fields.MAX_EXTENT, hidden);
        if (width != hidden) {
            throw p.invalid("word_embedding_dimension", width, "the encoder's " + hidden + " features");
        }
        p.raw("include_prompt");
        boolean mean = p.flag(MODES + "mean_tokens", false);
        boolean first = p.flag(MODES + "cls_token", false);
        if (p.has("pooling_mode")) {
            mean = p.text("pooling_mode").equals("mean");
            first = p.text("pooling_mode").equals("cls");
        }
        for (String key : p.unread()) {
            if (!key.startsWith(MODES) || p.flag(key, false)) {
                throw p.unsupported(key, "the poolings are mean and cls");
            }
        }
        if (mean == first) {
            throw p.unsupported(p.has("pooling_mode") ? "pooling_mode" : MODES + "mean_tokens", "one pooling, mean or cls");
        }
        return mean;
    }
}
