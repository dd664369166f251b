package poot.core.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import poot.api.model.CheckpointException;
import poot.api.model.ConfigSource;
import poot.core.checkpoint.Checkpoint;
import poot.core.text.tokenizer.Tokenizer;

/** The special tokens a checkpoint names, as its chat template reads them: {@code bos_token} … to their text. */
final class SpecialTokens {
    private static final List<String> NAMES = List.of("bos_token", "eos_token", "unk_token", "sep_token", "pad_token",
            "cls_token", "mask_token");

    private SpecialTokens() {}

    /** Those of {@code special_tokens_map.json} under those of {@code tokenizer_config.json}, or of the metadata. */
    static Map<String, Object> of(Checkpoint checkpoint, Tokenizer tokenizer) throws CheckpointException {
        Map<String, Object> out = new HashMap<>();
        if (checkpoint.source() == ConfigSource.GGUF) {
            named(out, "bos_token", tokenizer.bos(), tokenizer);
            named(out, "eos_token", tokenizer.eos(), tokenizer);
            return out;
        }
        collect(out, checkpoint.files().specialTokens());
        collect(out, checkpoint.files().tokenizerConfig());
        return out;
    }

    private static void named(Map<String, Object> out, String name, OptionalInt id, Tokenizer tokenizer) {
        id.ifPresent(i -> out.put(name, tokenizer.piece(i)));
    }

    private static void collect(Map<String, Object> out, Optional<Map<String, Object>> file) {
        for (String name : NAMES) {
            text(file.map(f -> f.get(name)).orElse(null)).ifPresent(t -> out.put(name, t));
        }
    }

    /** A token is written as its text, or as an object with the text under {@code content}. */
    private static Optional<String> text(Object token) {
        Object content = token instanceof Map<?, ?> m ? m.get("content") : token;
        return content instanceof String s ? Optional.of(s) : Optional.empty();
    }
}
