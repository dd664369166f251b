package poot.core.text;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import poot.api.model.ChatException;
import poot.api.model.CheckpointException;
import poot.api.model.CheckpointException.Absent;
import poot.api.model.CheckpointException.Malformed;
import poot.api.model.ConfigSource;
import poot.api.model.TextCodec;
import poot.core.checkpoint.Checkpoint;
import poot.core.text.tokenizer.Encoding;
import poot.core.text.tokenizer.GgufTokenizer;
import poot.core.text.tokenizer.StreamDecoder;
import poot.core.text.tokenizer.Tokenizer;
import poot.core.text.tokenizer.TokenizerJson;

/**
 * The text codec of a checkpoint: {@code tokenizer.json} or GGUF metadata, and its chat template. A template sees the
 * checkpoint's special tokens ({@code bos_token}, {@code eos_token} …) unless the context overrides them.
 */
public final class CheckpointTextCodec implements TextCodec {
    private final Tokenizer tokenizer;
    private final ChatTemplates templates;
    private final Map<String, Object> specialTokens;

    private CheckpointTextCodec(Tokenizer tokenizer, ChatTemplates templates, Map<String, Object> specialTokens) {
        this.tokenizer = tokenizer;
        this.templates = templates;
        this.specialTokens = Map.copyOf(specialTokens);
    }

    /** Whether a checkpoint brings a tokenizer. */
    public static boolean isIn(Checkpoint checkpoint) {
        return checkpoint.source() == ConfigSource.GGUF
                ? checkpoint.config().has("tokenizer.ggml.tokens") : checkpoint.files().tokenizer().isPresent();
    }

    /**
     * The codec of a checkpoint.
     *
     * @param vocabulary the model's; every piece text is cut into must be inside it. An added token may lie beyond (a
     *                   text model keeps the image tokens of its family's tokenizer): a prompt that spells it out is
     *                   refused when it is admitted
     * @throws CheckpointException if there is no tokenizer, it cannot be read, or it has pieces the model has not
     */
    public static CheckpointTextCodec read(Checkpoint checkpoint, int vocabulary) throws CheckpointException {
        Tokenizer tokenizer = tokenizer(checkpoint);
        if (tokenizer.pieceLimit() > vocabulary) {
            throw new CheckpointException(new Malformed(checkpoint.path(), "tokenizer", "has pieces up to "
                    + (tokenizer.pieceLimit() - 1) + ", but the model's vocabulary has " + vocabulary
                    + "; the tokenizer belongs to another model"));
        }
        return new CheckpointTextCodec(
                tokenizer, ChatTemplates.of(checkpoint), SpecialTokens.of(checkpoint, tokenizer));
    }

    private static Tokenizer tokenizer(Checkpoint checkpoint) throws CheckpointException {
        if (!isIn(checkpoint)) {
            throw new CheckpointException(switch (checkpoint.source()) {
                case GGUF -> new Malformed(checkpoint.config().file(), "key \"tokenizer.ggml.tokens\"",
                        "missing; the checkpoint's text is read by it");
                case HF -> new Absent(checkpoint.path().resolve("tokenizer.json"), "the checkpoint's text is read by it");
            });
        }
        return checkpoint.source() == ConfigSource.GGUF
                ? GgufTokenizer.read(checkpoint.config()) : TokenizerJson.read(checkpoint.files().tokenizer().orElseThrow());
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
        Encoding e = tokenizer.encodePair(first, second);
        return new Pair(e.ids(), e.typeIds());
    }

    @Override
    public String decode(int[] ids, boolean skipSpecial) {
        return tokenizer.decode(ids, skipSpecial);
    }

    @Override
    public byte[] bytes(int id) {
        return tokenizer.bytes(id);
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
        return !templates.isEmpty();
    }

    @Override
    public String render(Map<String, Object> context) throws ChatException {
        Map<String, Object> all = new HashMap<>(specialTokens);
        all.putAll(context);
        return templates.render(all);
    }
}
