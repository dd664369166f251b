package poot.core.text.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.model.CheckpointException;
import poot.api.model.ConfigSource;
import poot.api.model.RawConfig;

/** What breaks the rules is refused by name, and nothing ever fails in another way. */
class MalformedTokenizerTest {
    private static final Path FILE = Path.of("tokenizer.json");

    @ParameterizedTest
    @ValueSource(strings = {"tok-not-json", "tok-unknown-model", "tok-merge-unknown", "tok-duplicate-id", "tok-id-huge", "tok-bad-regex"})
    void sharedFilesAreRefused(String name) {
        Path file = SharedData.path("golden/malformed/hf/" + name).resolve("tokenizer.json");
        CheckpointException e = assertThrows(CheckpointException.class, () -> TokenizerJson.read(file));
        assertEquals(file, e.fault().file());
        assertTrue(e.getMessage().contains(file.toString()));
    }

    @Test
    void anAbsentFileIsNamed() {
        Path file = SharedData.path("golden/malformed/hf/tok-absent").resolve("tokenizer.json");
        CheckpointException e = assertThrows(CheckpointException.class, () -> TokenizerJson.read(file));
        assertInstanceOf(CheckpointException.Absent.class, e.fault());
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-tokens", "bos-out-of-range", "token-type-short"})
    void sharedGgufFilesAreRefused(String name) {
        Path file = SharedData.path("golden/malformed/gguf/" + name + ".gguf");
        assertThrows(CheckpointException.class, () -> GgufTokenizer.read(GgufMetadata.read(file)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "\"normalizer\":null~\"normalizer\":{\"type\":\"Nmt\"}~normalizer",
        "\"pre_tokenizer\":null~\"pre_tokenizer\":{\"type\":\"NoSuch\"}~pre_tokenizer",
        "\"decoder\":null~\"decoder\":{\"type\":\"CTC\"}~decoder",
        "\"post_processor\":null~\"post_processor\":{\"type\":\"NoSuch\"}~post_processor",
        "\"dropout\":null~\"dropout\":0.5~model.dropout",
        "\"ignore_merges\":false~\"brand_new\":false~brand_new",
        "\"id\":1~\"id\":2~added_tokens"})
    void theRefusalNamesTheKey(String from, String to, String key) {
        assertTrue(small().contains(from));
        CheckpointException e = assertThrows(CheckpointException.class, () -> read(small().replace(from, to).getBytes(StandardCharsets.UTF_8)));
        assertTrue(e.getMessage().contains(key), e::getMessage);
    }

    @Test
    void nestingAndGrowthAreBounded() {
        String deep = "{\"type\":\"Sequence\",\"normalizers\":[".repeat(30) + "]}".repeat(30);
        refused("\"normalizer\":" + deep);
        String grow = "{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"" + "a".repeat(100) + "\"}";
        refused("\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[" + grow + "," + grow + "]}");
        refused("\"normalizer\":" + "[".repeat(100_000));
    }

    private static void refused(String normalizer) {
        byte[] bytes = small().replace("\"normalizer\":null", normalizer).getBytes(StandardCharsets.UTF_8);
        assertThrows(CheckpointException.class, () -> read(bytes));
    }

    /** Any mutation of a tokenizer.json gives a tokenizer that works or a typed refusal. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void mutatedFilesNeverFailOtherwise(int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 1500; i++) {
            byte[] bytes = mutate(rich().getBytes(StandardCharsets.UTF_8), random);
            try {
                Tokenizer t = read(bytes);
                int[] ids = t.encode("ab  ba! \u00e9<s>\ud83e\udd99 12", true);
                t.decode(ids, true);
                t.encodePair("a", "b");
            } catch (CheckpointException e) {
                assertEquals(FILE, e.fault().file());
            }
        }
    }

    /** Any mutation of GGUF metadata gives a tokenizer that works or a typed refusal. */
    @Test
    void mutatedMetadataNeverFailsOtherwise() {
        Random random = new Random(4);
        Object[] odd = {null, -1L, 0L, 3L, 1L << 40, 1.5, Double.NaN, true, "", "gpt2", "llama", "t5", "bert", List.of(), List.of("a", "b"),
            List.of(1L, 2L), Collections.nCopies(7, 1L), Collections.nCopies(7, 0.5), List.of("a b")};
        for (int i = 0; i < 1200; i++) {
            Map<String, Object> values = new HashMap<>(Map.of("tokenizer.ggml.model", List.of("gpt2", "llama", "t5", "bert").get(i % 4),
                    "tokenizer.ggml.pre", "llama-bpe", "tokenizer.ggml.tokens", List.of("a", "b", "ab", "<s>", "\u2581", "<0x0A>", "\u2581a"),
                    "tokenizer.ggml.scores", List.of(-1.0, -2.0, -3.0, 0.0, -1.0, 0.0, -2.5), "tokenizer.ggml.token_type",
                    List.of(1L, 1L, 1L, 3L, 1L, 6L, 4L), "tokenizer.ggml.merges", List.of("a b"), "tokenizer.ggml.bos_token_id", 3L,
                    "tokenizer.ggml.unknown_token_id", 3L, "tokenizer.ggml.seperator_token_id", 3L));
            List<String> keys = values.keySet().stream().sorted().toList();
            for (int k = random.nextInt(3); k > 0; k--) {
                values.put(keys.get(random.nextInt(keys.size())), odd[random.nextInt(odd.length)]);
            }
            try {
                Tokenizer t = GgufTokenizer.read(RawConfig.of(ConfigSource.GGUF, FILE, values));
                t.decode(t.encode("ab ab\n\u00e9<s>", true), true);
            } catch (CheckpointException e) {
                assertEquals(FILE, e.fault().file());
            }
        }
    }

    private static byte[] mutate(byte[] bytes, Random random) {
        byte[] out = bytes.clone();
        for (int k = 1 + random.nextInt(3); k > 0 && out.length > 2; k--) {
            int at = random.nextInt(out.length - 1);
            switch (random.nextInt(5)) {
                case 0 -> out[at] = (byte) random.nextInt(256);
                case 1 -> out[at] = (byte) "{}[]\",:0129-ean\\".charAt(random.nextInt(16));
                case 2 -> out = Arrays.copyOf(out, at + 1);
                case 3 -> {
                    int to = Math.min(out.length, at + 1 + random.nextInt(20));
                    byte[] shorter = new byte[out.length - (to - at)];
                    System.arraycopy(out, 0, shorter, 0, at);
                    System.arraycopy(out, to, shorter, at, out.length - to);
                    out = shorter;
                }
                default -> {
                    int from = random.nextInt(out.length);
                    int length = Math.min(random.nextInt(30), out.length - Math.max(from, at));
                    System.arraycopy(out, from, out, at, Math.max(0, length));
                }
            }
        }
        return out;
    }

    private static Tokenizer read(byte[] bytes) throws CheckpointException {
        return TokenizerJson.read(new ByteArrayInputStream(bytes), FILE);
    }

    private static String small() {
        return "{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":[{\"id\":1,\"content\":\"<s>\",\"single_word\":false,"
                + "\"lstrip\":false,\"rstrip\":false,\"normalized\":false,\"special\":true}],\"normalizer\":null,\"pre_tokenizer\":null,"
                + "\"post_processor\":null,\"decoder\":null,\"model\":{\"type\":\"BPE\",\"dropout\":null,\"unk_token\":\"<unk>\","
                + "\"ignore_merges\":false,\"vocab\":{\"<unk>\":0,\"<s>\":1,\"a\":2,\"b\":3,\"ab\":4},\"merges\":[\"a b\"]}}";
    }

    private static String rich() {
        return small().replace("\"normalizer\":null", "\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFC\"},"
                        + "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\" {2,}\"},\"content\":\" \"},{\"type\":\"Prepend\",\"prepend\":\"_\"},"
                        + "{\"type\":\"BertNormalizer\",\"lowercase\":true,\"strip_accents\":null}]}")
                .replace("\"pre_tokenizer\":null", "\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Split\",\"pattern\":"
                        + "{\"Regex\":\"(?i:'s|'t)|[^\\\\r\\\\n\\\\p{L}]?\\\\p{L}+|\\\\p{N}{1,3}|\\\\s+(?!\\\\S)|\\\\s+\"},\"behavior\":\"Isolated\","
                        + "\"invert\":false},{\"type\":\"ByteLevel\",\"add_prefix_space\":true,\"use_regex\":true}]}")
                .replace("\"post_processor\":null", "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":{\"id\":\"<s>\","
                        + "\"type_id\":0}},{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}],\"pair\":[{\"Sequence\":{\"id\":\"A\",\"type_id\":0}},"
                        + "{\"Sequence\":{\"id\":\"B\",\"type_id\":1}}],\"special_tokens\":{\"<s>\":{\"id\":\"<s>\",\"ids\":[1],\"tokens\":[\"<s>\"]}}}")
                .replace("\"decoder\":null", "\"decoder\":{\"type\":\"Sequence\",\"decoders\":[{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},"
                        + "\"content\":\" \"},{\"type\":\"ByteFallback\"},{\"type\":\"Fuse\"},{\"type\":\"Strip\",\"content\":\" \",\"start\":1,\"stop\":1}]}");
    }
}
