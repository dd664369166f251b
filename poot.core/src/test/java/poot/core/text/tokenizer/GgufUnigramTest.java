package poot.core.text.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.api.model.ConfigSource;
import poot.api.model.RawConfig;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A unigram vocabulary written as GGUF metadata gives the ids its tokenizer.json gives. */
class GgufUnigramTest {
    @Test
    void everyVector() throws Exception {
        JsonNode json = new JsonMapper().readTree(SharedData.unzipped("tokenizers/t5-small/tokenizer.json.gz"));
        Set<String> special = new HashSet<>();
        json.get("added_tokens").forEach(t -> special.add(t.get("content").stringValue()));
        List<Object> tokens = new ArrayList<>();
        List<Object> scores = new ArrayList<>();
        List<Object> types = new ArrayList<>();
        for (JsonNode piece : json.get("model").get("vocab")) {
            String text = piece.get(0).stringValue();
            tokens.add(text);
            scores.add(piece.get(1).doubleValue());
            types.add(text.equals("<unk>") ? 2L : special.contains(text) ? 3L : 1L);
        }
        List<Object> rules = new ArrayList<>();
        for (byte b : Base64.getDecoder().decode(json.get("normalizer").get("precompiled_charsmap").stringValue())) {
            rules.add((long) (b & 0xFF));
        }
        Map<String, Object> values = new HashMap<>(Map.of("tokenizer.ggml.model", "t5", "tokenizer.ggml.tokens", tokens,
                "tokenizer.ggml.scores", scores, "tokenizer.ggml.token_type", types, "tokenizer.ggml.precompiled_charsmap", rules,
                "tokenizer.ggml.add_space_prefix", true, "tokenizer.ggml.remove_extra_whitespaces", true));
        Tokenizer t = GgufTokenizer.read(RawConfig.of(ConfigSource.GGUF, Path.of("t5.gguf"), values));
        for (JsonNode c : SharedData.json("tokenizers/t5-small/vectors.json")) {
            String text = c.get("text").stringValue();
            assertArrayEquals(SharedData.ints(c.get("with_special")), t.encode(text, true), text);
        }
    }
}
