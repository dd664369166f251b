package poot.core.text.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** llama.cpp's vocabularies give the ids llama.cpp gives. */
class GgufVectorsTest {
    @ParameterizedTest
    @ValueSource(strings = {"bert-bge", "gpt-2", "llama-spm", "phi-3"})
    void everyVector(String name) throws Exception {
        Path file = SharedData.path("tokenizers/gguf/ggml-vocab-" + name + ".gguf");
        Tokenizer tokenizer = GgufTokenizer.read(GgufMetadata.read(file));
        String[] texts = Files.readString(Path.of(file + ".inp")).split("\n__ggml_vocab_test__\n", -1);
        List<String> ids = Files.readAllLines(Path.of(file + ".out"));
        int count = Math.min(texts.length, ids.size());
        assertEquals(ids.size(), texts.length - (texts[texts.length - 1].isEmpty() && texts.length > ids.size() ? 1 : 0));
        for (int i = 0; i < count; i++) {
            int[] expected = Stream.of(ids.get(i).trim().split(" ")).filter(s -> !s.isEmpty()).mapToInt(Integer::parseInt).toArray();
            String text = texts[i];
            assertArrayEquals(expected, tokenizer.encode(text, false, false), () -> "ids of \"" + text + "\"");
        }
    }
}
