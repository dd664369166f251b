package poot.core.text.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every text. */
class TokenizerPropertyTest {
    private static final String[] BITS = {"the", " cat", "Hello", " world", "'s", "'LL", " ", "  ", "\n", "\r\n", "\t", "12345", "3.14", "!?", "\u00e9",
        "e\u0301", "\u65e5\u672c", "\ud83e\udd99", "\ud83d\ude36\u200d\ud83c\udf2b\ufe0f", "\u0915\u093f", "<s>", "</s>", "<|im_end|>", "\u0000", "\u00bd", "\ufffd"};

    private static String text(Random random) {
        StringBuilder s = new StringBuilder();
        for (int n = random.nextInt(20); n > 0; n--) {
            s.append(BITS[random.nextInt(BITS.length)]);
        }
        return s.toString();
    }

    @Test
    void byteLevelTokenizersLoseNothing() throws Exception {
        Random random = new Random(1);
        Tokenizer tiny = TokenizerJson.read(SharedData.path("models/poot-tiny/tokenizer.json"));
        Tokenizer golden = TokenizerJson.read(SharedData.path("golden/llama/tokenizer.json"));
        for (int i = 0; i < 3000; i++) {
            String text = text(random);
            for (Tokenizer t : new Tokenizer[] {tiny, golden}) {
                assertEquals(text, t.decode(t.encode(text, false), false));
                int[] plain = t.encode(text, false, false);
                assertEquals(text, t.decode(plain, true));
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                for (int id : plain) {
                    bytes.writeBytes(t.bytes(id));
                }
                assertArrayEquals(text.getBytes(StandardCharsets.UTF_8), bytes.toByteArray());
            }
        }
    }

    /** Any ids at all: the stream is the decoded text, in whole characters. */
    @ParameterizedTest
    @ValueSource(strings = {"models/poot-tiny", "models/stories260K", "golden/bert-mean"})
    void streamsAreWhatDecodingGives(String name) throws Exception {
        Tokenizer t = TokenizerJson.read(SharedData.path(name + "/tokenizer.json"));
        Random random = new Random(2);
        for (int i = 0; i < 3000; i++) {
            int[] ids = random.ints(random.nextInt(25), -1, t.vocabularySize() + 2).toArray();
            boolean skip = random.nextBoolean();
            StreamDecoder stream = t.stream(skip);
            StringBuilder all = new StringBuilder();
            for (int id : ids) {
                String chunk = stream.feed(id);
                assertTrue(chunk.isEmpty() || !Character.isHighSurrogate(chunk.charAt(chunk.length() - 1)));
                all.append(chunk);
            }
            assertEquals(t.decode(ids, skip), all.append(stream.finish()).toString());
        }
    }

    @Test
    void aPlainTextNeverYieldsSpecialTokensUnlessAsked() throws Exception {
        Tokenizer t = TokenizerJson.read(SharedData.path("models/poot-tiny/tokenizer.json"));
        Random random = new Random(3);
        for (int i = 0; i < 1000; i++) {
            for (int id : t.encode(text(random) + "<|im_end|>", false, false)) {
                assertTrue(!t.isSpecial(id));
            }
        }
    }

    @Test
    void longRunsOfCombiningMarksNormalizeSoon() {
        String text = "a" + "\u0301\u0316".repeat(100_000);
        TextNormalizer nfc = new TextNormalizer.Form(java.text.Normalizer.Form.NFC);
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> nfc.apply(text));
        assertEquals("\u00e1\u0316", nfc.apply("a\u0301\u0316"));
    }

    @Test
    void longWordsEncodeSoon() throws Exception {
        Random random = new Random(4);
        String noise = random.ints(1_000_000, 'a', 'z' + 1).collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
        for (String path : new String[] {"models/poot-tiny", "models/stories260K", "golden/bert-mean"}) {
            Tokenizer t = TokenizerJson.read(SharedData.path(path + "/tokenizer.json"));
            for (String word : new String[] {noise, "a".repeat(1_000_000), " ".repeat(1_000_000)}) {
                assertTimeoutPreemptively(Duration.ofSeconds(60), () -> t.encode(word, true));
            }
        }
    }
}
