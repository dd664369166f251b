package poot.core.text;

import java.nio.charset.StandardCharsets;
import poot.api.model.TextCodec;

/** Text that goes on from another: its first blank, which a tokenizer may take off a text of its own, belongs to it. */
public final class ContinuedText {
    private ContinuedText() {}

    /** Detokenizes what follows a prompt; marks are left out. */
    public static TextCodec.Stream after(TextCodec codec, int[] prompt) {
        TextCodec.Stream stream = codec.stream(true);
        if (prompt.length > 0) {
            stream.next(prompt[prompt.length - 1]);
        }
        return stream;
    }

    /** A token as it reads within a text; bytes that are no character read as U+FFFD. */
    public static String token(TextCodec codec, int id) {
        byte[] bytes = codec.bytes(id);
        return bytes.length == 0 ? codec.decode(new int[] {id}, false) : new String(bytes, StandardCharsets.UTF_8);
    }
}
