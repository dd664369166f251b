package poot.api.model;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Text to token ids and back, as the checkpoint defines it. Immutable, safe for use by several threads. */
public interface TextCodec {
    /** Number of token ids the tokenizer knows. */
    int vocabularySize();

    /** The ids of a text; with {@code special}, as the checkpoint frames a whole input (BOS, CLS, SEP …). */
    int[] encode(String text, boolean special);

    /** The ids of a rendered conversation: special tokens written in the text are read as such, none are added. */
    int[] encodeRendered(String text);

    /** The ids of a text pair with the segment of each, as a cross-encoder reads it. */
    Pair encodePair(String first, String second);

    /** A framed pair: ids and the segment (0 or 1) of each. */
    record Pair(int[] ids, int[] segments) {}

    /** The text of ids. */
    String decode(int[] ids, boolean skipSpecial);

    /** The bytes an id stands for in text, which may be part of a character; none where the id is no token. */
    byte[] bytes(int id);

    /** Text of a growing sequence of ids, never splitting a character. */
    Stream stream(boolean skipSpecial);

    /** The id of a token spelled exactly so. */
    OptionalInt id(String token);

    /** Whether a chat template came with the checkpoint. */
    boolean hasChatTemplate();

    /**
     * The prompt text of a conversation, by the checkpoint's chat template.
     *
     * @param context what the template reads: {@code messages}, {@code tools}, {@code add_generation_prompt} …
     * @throws ChatException if there is no template, or it refuses the conversation
     */
    String render(Map<String, Object> context) throws ChatException;

    /** The prompt text of a conversation that asks for the assistant's next turn. */
    default String render(List<ChatMessage> messages) throws ChatException {
        List<Map<String, Object>> list = messages.stream()
                .map(m -> Map.<String, Object>of("role", m.role(), "content", m.content())).toList();
        return render(Map.of("messages", list, "add_generation_prompt", true));
    }

    /** One turn of a conversation. */
    record ChatMessage(String role, String content) {}

    /** Detokenizes id by id. Not safe for use by several threads. */
    interface Stream {
        /** The text that is certain after one more id; may be empty. */
        String next(int id);

        /** The rest. */
        String finish();
    }
}
