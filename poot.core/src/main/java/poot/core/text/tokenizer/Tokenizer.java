package poot.core.text.tokenizer;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Text to token ids and back, as one checkpoint defines it. Immutable but for a cache of words, and safe to share
 * between threads.
 *
 * <p>Encoding: added tokens are cut out, the text between them is normalized, cut into words, and each word becomes
 * the pieces of the model; special tokens go around the result.
 */
public final class Tokenizer {
    /** How pieces spell bytes. */
    enum Spelling { BYTE_LEVEL, MARKED_SPACES, WORD_PIECES }

    /** The parts a reader has to bring. */
    record Parts(PieceModel model, AddedTokens added, TextNormalizer normalizer, PreTokenizer preTokenizer,
            Template template, TextDecoder decoder, Spelling spelling, OptionalInt bos, OptionalInt eos) { }

    private final Parts parts;
    private final Map<String, Integer> addedIds = new HashMap<>();
    private final Map<Integer, String> addedPieces = new HashMap<>();
    private final BitSet special = new BitSet();
    private final int size;

    Tokenizer(Parts parts) {
        this.parts = parts;
        int limit = parts.model.vocabulary().limit();
        for (AddedTokens.Token token : parts.added.tokens()) {
            addedIds.put(token.content(), token.id());
            addedPieces.put(token.id(), token.content());
            special.set(token.id(), token.special());
            limit = Math.max(limit, token.id() + 1);
        }
        size = limit;
    }

    /** The ids of a text; special tokens written in it count as such, those around it are added if asked for. */
    public int[] encode(String text, boolean addSpecial) {
        return encode(text, addSpecial, true);
    }

    /** The ids of a text; {@code parseSpecial} false reads special tokens written in it as plain text. */
    public int[] encode(String text, boolean addSpecial, boolean parseSpecial) {
        return parts.template.one(plain(text, parseSpecial), addSpecial);
    }

    /** Two texts (query and document) as a cross-encoder reads them, special tokens included. */
    public Encoding encodePair(String a, String b) {
        return parts.template.two(plain(a, true), plain(b, true));
    }

    /** The text of ids; an id that is no token adds nothing. */
    public String decode(int[] ids, boolean skipSpecial) {
        StreamDecoder stream = stream(skipSpecial);
        StringBuilder out = new StringBuilder();
        for (int id : ids) {
            out.append(stream.feed(id));
        }
        return out.append(stream.finish()).toString();
    }

    /** Starts decoding ids one by one. */
    public StreamDecoder stream(boolean skipSpecial) {
        return new StreamDecoder(this, skipSpecial, parts.decoder);
    }

    /** One more than the largest id; some ids below may be no tokens. */
    public int vocabularySize() {
        return size;
    }

    /** One more than the largest id of a piece that text is cut into; added tokens, which are written out, may lie beyond. */
    public int pieceLimit() {
        return parts.model.vocabulary().limit();
    }

    /** The token of an id as the vocabulary spells it; empty where the id is no token. */
    public String piece(int id) {
        String piece = shown(id);
        return piece == null ? "" : piece;
    }

    /** The bytes an id stands for in text; none where the id is no token. */
    public byte[] bytes(int id) {
        String added = addedPieces.get(id);
        String piece = piece(id);
        if (added != null) {
            return Utf8.encode(added);
        }
        return switch (parts.spelling) {
            case BYTE_LEVEL -> ByteAlphabet.bytes(piece);
            case MARKED_SPACES -> {
                int b = DecoderStages.byteOf(piece);
                yield b >= 0 ? new byte[] {(byte) b} : Utf8.encode(piece.replace('\u2581', ' '));
            }
            case WORD_PIECES -> Utf8.encode(piece.startsWith("##") ? piece.substring(2)
                    : " " + (piece.startsWith("\u2581") ? piece.substring(1) : piece));
        };
    }

    /** The id of a token as the vocabulary spells it. */
    public OptionalInt id(String token) {
        Integer added = addedIds.get(token);
        int id = added != null ? added : parts.model.vocabulary().id(token);
        return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
    }

    /** True if the id is a mark and no part of the language. */
    public boolean isSpecial(int id) {
        return id >= 0 && special.get(id);
    }

    /** The token that begins a text, where the checkpoint names one. */
    public OptionalInt bos() {
        return parts.bos;
    }

    /** The token that ends a text, where the checkpoint names one. */
    public OptionalInt eos() {
        return parts.eos;
    }

    /** The piece of an id, or null. */
    String shown(int id) {
        String added = addedPieces.get(id);
        return added != null ? added : parts.model.vocabulary().piece(id);
    }

    private int[] plain(String text, boolean parseSpecial) {
        IntList out = new IntList(text.length() / 3);
        parts.added.walk(text, parseSpecial, new AddedTokens.Visitor() {
            @Override
            public void text(String all, int from, int to) {
                normalized(parts.normalizer.apply(all.substring(from, to)), from == 0, parseSpecial, out);
            }

            @Override
            public void token(int id) {
                out.add(id);
            }
        });
        return out.toArray();
    }

    private void normalized(String text, boolean first, boolean parseSpecial, IntList out) {
        parts.added.walkNormalized(text, parseSpecial, new AddedTokens.Visitor() {
            @Override
            public void text(String all, int from, int to) {
                char[] chars = all.substring(from, to).toCharArray();
                parts.preTokenizer.split(chars, 0, chars.length, first && from == 0,
                        (t, f, e, atStart) -> parts.model.encode(t, f, e, out));
            }

            @Override
            public void token(int id) {
                out.add(id);
            }
        });
    }
}
