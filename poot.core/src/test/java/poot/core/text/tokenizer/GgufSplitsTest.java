package poot.core.text.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import poot.api.model.CheckpointException;
import poot.api.model.ConfigSource;
import poot.api.model.RawConfig;

/** Every pre-tokenizer name makes a tokenizer that loses nothing; any other name is refused. */
class GgufSplitsTest {
    private static final String TEXT = "Hello WORLD, it's 12345 caf\u00e9s!\r\n\n  \u65e5\u672c\u304b \uac01 don'T x.y/z\t\u0915\u093f  ";

    @Test
    void everyName() throws Exception {
        for (String name : GgufSplits.names()) {
            if (GgufSplits.named(name).byteLevel()) {
                Tokenizer t = GgufTokenizer.read(config(name));
                assertEquals(TEXT, t.decode(t.encode(TEXT, false), false), name);
            }
        }
    }

    @Test
    void anUnknownNameIsRefused() {
        CheckpointException e = assertThrows(CheckpointException.class, () -> GgufTokenizer.read(config("no-such")));
        assertTrue(e.getMessage().contains("tokenizer.ggml.pre") && e.getMessage().contains("no-such"), e::getMessage);
    }

    private static RawConfig config(String pre) {
        List<Object> tokens = new ArrayList<>();
        for (int b = 0; b < 256; b++) {
            tokens.add(Character.toString(ByteAlphabet.character(b)));
        }
        Map<String, Object> values = new HashMap<>(Map.of("tokenizer.ggml.model", "gpt2", "tokenizer.ggml.pre", pre,
                "tokenizer.ggml.tokens", tokens, "tokenizer.ggml.merges", List.of(), "tokenizer.ggml.bos_token_id", 0L,
                "tokenizer.ggml.seperator_token_id", 1L));
        return RawConfig.of(ConfigSource.GGUF, Path.of("model.gguf"), values);
    }
}
