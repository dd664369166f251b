package poot.core.text.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The project's own checkpoints, in both forms. */
class GoldenTokenizerTest {
    private static final List<String> TEXTS = List.of("", " ", "Once upon a time, there was a little girl named Lily.",
            "  two  spaces\n\nand lines", "na\u00efve \u65e5\u672c \ud83e\udd99!", "12 + 345 = 357");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void decoderTokenizer(boolean gguf) throws Exception {
        Tokenizer t = gguf ? GgufTokenizer.read(GgufMetadata.read(SharedData.path("golden/llama/model.gguf")))
                : TokenizerJson.read(SharedData.path("golden/llama/tokenizer.json"));
        for (JsonNode c : SharedData.json("golden/tokenizer-golden.json").get("cases")) {
            String text = c.get("text").stringValue();
            assertArrayEquals(SharedData.ints(c.get("ids")), t.encode(text, false), text);
            assertArrayEquals(SharedData.ints(c.get("ids_no_special_parsing")), t.encode(text, false, false), text);
            assertEquals(text, t.decode(t.encode(text, false), false));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void encoderTokenizer(boolean gguf) throws Exception {
        Tokenizer t = gguf ? GgufTokenizer.read(GgufMetadata.read(SharedData.path("golden/bert-mean/model.gguf")))
                : TokenizerJson.read(SharedData.path("golden/bert-mean/tokenizer.json"));
        for (JsonNode c : SharedData.json("golden/bert-mean/golden.json").get("tokenize")) {
            assertArrayEquals(SharedData.ints(c.get("ids")), t.encode(c.get("text").stringValue(), true), c.get("text").stringValue());
        }
    }

    @Test
    void pairsCarryTokenTypes() throws Exception {
        for (boolean gguf : new boolean[] {false, true}) {
            Tokenizer t = gguf ? GgufTokenizer.read(GgufMetadata.read(SharedData.path("golden/bert-rank/model.gguf")))
                    : TokenizerJson.read(SharedData.path("golden/bert-rank/tokenizer.json"));
            Encoding pair = t.encodePair("hello world", "the cat");
            assertArrayEquals(new int[] {2, 92, 93, 3, 84, 85, 3}, pair.ids());
            assertArrayEquals(new int[] {0, 0, 0, 0, 1, 1, 1}, pair.typeIds());
        }
    }

    @Test
    void promptsOfTrainedCheckpoints() throws Exception {
        Tokenizer tiny = TokenizerJson.read(SharedData.path("models/poot-tiny/tokenizer.json"));
        for (JsonNode c : SharedData.json("models/poot-tiny/golden.json").get("cases")) {
            assertArrayEquals(SharedData.ints(c.get("prompt_ids")), tiny.encode(c.get("prompt").stringValue(), false));
        }
        Tokenizer mini = TokenizerJson.read(SharedData.path("models/all-MiniLM-L6-v2/tokenizer.json"));
        for (JsonNode c : SharedData.json("models/all-MiniLM-L6-v2/golden.json").get("items")) {
            int[] ids = SharedData.ints(c.get("ids"));
            int[] got = mini.encode(c.get("text").stringValue(), true);
            int compared = got.length > 256 ? ids.length - 1 : ids.length;
            assertArrayEquals(Arrays.copyOf(ids, compared), Arrays.copyOf(got, compared));
        }
    }

    @Test
    void bothFormsOfATrainedCheckpointAgree() throws Exception {
        agree(TokenizerJson.read(SharedData.path("models/poot-tiny/tokenizer.json")),
                GgufTokenizer.read(GgufMetadata.read(SharedData.path("models/poot-tiny/poot-tiny-f16.gguf"))));
        agree(TokenizerJson.read(SharedData.path("models/stories260K/tokenizer.json")),
                GgufTokenizer.read(GgufMetadata.read(SharedData.path("models/stories260K/stories260K-f32.gguf"))));
    }

    private static void agree(Tokenizer hf, Tokenizer gguf) {
        assertEquals(hf.vocabularySize(), gguf.vocabularySize());
        for (String text : TEXTS) {
            int[] ids = hf.encode(text, true);
            assertArrayEquals(ids, gguf.encode(text, true), text);
            assertEquals(hf.decode(ids, true), gguf.decode(ids, true));
            assertEquals(text, hf.decode(ids, true));
        }
    }
}
