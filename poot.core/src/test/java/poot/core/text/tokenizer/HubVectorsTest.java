package poot.core.text.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Real tokenizers give the ids and texts the Hugging Face library gives; streams give what decoding gives. */
class HubVectorsTest {
    @ParameterizedTest
    @ValueSource(strings = {"llama3.1", "qwen3", "roberta-base", "t5-small", "minilm", "phi-3-mini", "gemma3"})
    void everyVector(String name) throws Exception {
        Tokenizer tokenizer = SharedData.hub(name);
        JsonNode vectors = SharedData.json("tokenizers/" + name + "/vectors.json");
        assertTrue(vectors.size() >= 60);
        for (JsonNode vector : vectors) {
            String text = vector.get("text").stringValue();
            int[] ids = SharedData.ints(vector.get("ids"));
            int[] special = SharedData.ints(vector.get("with_special"));
            assertArrayEquals(ids, tokenizer.encode(text, false), () -> "ids of " + text);
            assertArrayEquals(special, tokenizer.encode(text, true), () -> "ids with special tokens of " + text);
            assertEquals(vector.get("decoded").stringValue(), tokenizer.decode(ids, false));
            assertEquals(vector.get("decoded_skip_special").stringValue(), tokenizer.decode(special, true));
            assertStreamSplitsNoCharacter(tokenizer, special);
        }
    }

    private static void assertStreamSplitsNoCharacter(Tokenizer tokenizer, int[] ids) {
        StreamDecoder stream = tokenizer.stream(false);
        StringBuilder all = new StringBuilder();
        for (int id : ids) {
            String chunk = stream.feed(id);
            assertTrue(chunk.isEmpty() || !Character.isHighSurrogate(chunk.charAt(chunk.length() - 1)));
            all.append(chunk);
        }
        assertEquals(tokenizer.decode(ids, false), all.append(stream.finish()).toString());
    }
}
