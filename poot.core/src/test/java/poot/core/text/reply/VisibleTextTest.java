package poot.core.text.reply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import poot.api.model.CheckpointException;
import poot.api.model.ModelConfig.ToolFormat;
import poot.api.model.TextCodec;
import poot.core.checkpoint.Checkpoint;
import poot.core.driver.StoredFormats;
import poot.core.json.Json;
import poot.core.json.JsonLimits;
import poot.core.text.CheckpointTextCodec;
import poot.core.text.chat.ChatPrompts;
import poot.core.text.chat.ChatRequest;
import poot.core.text.tokenizer.StreamDecoder;
import poot.core.text.tokenizer.Tokenizer;
import poot.core.text.tokenizer.TokenizerJson;

/** From ids to events: marks that are special tokens are seen, other special tokens are not. */
class VisibleTextTest {
    /** A tokenizer without a template. */
    private record Tokens(Tokenizer tokenizer) implements TextCodec {
        static Tokens read(String name) throws IOException, CheckpointException {
            Path file = shared("tokenizers/" + name + "/tokenizer.json.gz");
            try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                return new Tokens(TokenizerJson.read(in, file));
            }
        }

        @Override
        public int vocabularySize() {
            return tokenizer.vocabularySize();
        }

        @Override
        public int[] encode(String text, boolean special) {
            return tokenizer.encode(text, special);
        }

        @Override
        public int[] encodeRendered(String text) {
            return tokenizer.encode(text, false, true);
        }

        @Override
        public Pair encodePair(String first, String second) {
            return new Pair(new int[0], new int[0]);
        }

        @Override
        public String decode(int[] ids, boolean skipSpecial) {
            return tokenizer.decode(ids, skipSpecial);
        }

        @Override
        public byte[] bytes(int id) {
            return tokenizer.decode(new int[] {id}, false).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }

        @Override
        public Stream stream(boolean skipSpecial) {
            StreamDecoder decoder = tokenizer.stream(skipSpecial);
            return new Stream() {
                @Override
                public String next(int id) {
                    return decoder.feed(id);
                }

                @Override
                public String finish() {
                    return decoder.finish();
                }
            };
        }

        @Override
        public OptionalInt id(String token) {
            return tokenizer.id(token);
        }

        @Override
        public boolean hasChatTemplate() {
            return false;
        }

        @Override
        public String render(Map<String, Object> context) {
            throw new IllegalStateException("there is no template");
        }
    }

    private static Path shared(String name) {
        Path path = Path.of(System.getProperty("poot.shared", "../../shared")).resolve(name);
        Assumptions.assumeTrue(Files.exists(path), "the shared data " + path + " is not there");
        return path;
    }

    private static String seen(TextCodec.Stream stream, int[] ids) {
        StringBuilder out = new StringBuilder();
        for (int id : ids) {
            out.append(stream.next(id));
        }
        return out.append(stream.finish()).toString();
    }

    @Test
    void marksAreSeenAndOtherSpecialTokensAreNot() throws Exception {
        Tokens codec = Tokens.read("llama3.1");
        String text = "{\"é\": \"🙂\"} <";
        int[] ids = codec.encodeRendered("<|start_header_id|>" + text + "<|eot_id|>");
        assertEquals("<|start_header_id|>" + text, seen(new VisibleText(codec, Set.of("<|start_header_id|>")), ids));
        assertEquals(text, seen(new VisibleText(codec, Set.of()), ids));
        assertEquals(codec.decode(ids, true), text);
    }

    @Test
    @SuppressWarnings("unchecked")
    void theDemoModelsRepliesSayWhatTheyShould() throws Exception {
        Path model = shared("models/poot-tiny");
        TextCodec codec;
        try (Checkpoint checkpoint = Checkpoint.open(model, new StoredFormats())) {
            codec = CheckpointTextCodec.read(checkpoint, 1 << 20);
        }
        ChatPrompts prompts = ChatPrompts.of(codec);
        ReplyFormat format = ReplyFormat.of(codec, ToolFormat.NONE);
        List<String> said = new ArrayList<>();
        for (Object one : (List<Object>) Json.tree(model.resolve("golden.json"), JsonLimits.CONFIG).get("cases")) {
            Map<String, Object> golden = (Map<String, Object>) one;
            if (!(golden.get("messages") instanceof List<?> messages)) {
                continue;
            }
            List<Map<String, Object>> tools = (List<Map<String, Object>>) golden.getOrDefault("tools", List.of());
            String prompt = prompts.render(new ChatRequest((List<Map<String, Object>>) messages, tools, true, Map.of()));
            assertEquals(golden.get("prompt"), prompt);
            int[] ids = ((List<Long>) golden.get("greedy_ids")).stream().mapToInt(Long::intValue).toArray();
            ReplyOptions options = new ReplyOptions(OfferedTool.of(tools), true, true, prompt);
            String text = seen(format.stream(codec, options), ids);
            assertEquals(golden.get("greedy_text"), text);
            said.add(Replies.said(format, options, text));
        }
        assertTrue(said.contains("C0(get_weather){\"city\": \"Paris\"}"), said::toString);
        assertTrue(said.contains("C0(add){\"a\": 23, \"b\": 45}"), said::toString);
        assertTrue(said.contains("T(It is sunny in Paris, with 18 degrees.)"), said::toString);
        assertTrue(said.contains("T({\"name\": \"Ana\", \"age\": 30})"), said::toString);
    }
}
