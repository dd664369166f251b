package poot.core.text.tokenizer;

import java.util.ArrayList;
import java.util.List;
import poot.core.text.regex.Properties;

/**
 * The tokens that are found in the text before anything else happens to it: leftmost first, then longest. Those that
 * are "normalized" are looked for once more in the normalized text.
 */
final class AddedTokens {
    /**
     * A token found as a whole.
     *
     * @param id         its id
     * @param content    its text
     * @param special    no part of the language: a mark, left out of text for people
     * @param normalized looked for in normalized text, not in the text as given
     * @param singleWord found only where no word character is next to it
     * @param left       takes the white space before it along
     * @param right      takes the white space after it along
     */
    record Token(int id, String content, boolean special, boolean normalized, boolean singleWord, boolean left,
            boolean right) { }

    /** Takes stretches of plain text and the tokens between them. */
    interface Visitor {
        /** Takes text[from..to), which is not empty. */
        void text(String text, int from, int to);

        /** Takes a token. */
        void token(int id);
    }

    private final List<Token> tokens;
    private final Finder raw;
    private final Finder rawPlain;
    private final Finder normal;
    private final Finder normalPlain;

    AddedTokens(List<Token> tokens, TextNormalizer normalizer) {
        this.tokens = List.copyOf(tokens);
        raw = new Finder(tokens, false, true, normalizer);
        rawPlain = new Finder(tokens, false, false, normalizer);
        normal = new Finder(tokens, true, true, normalizer);
        normalPlain = new Finder(tokens, true, false, normalizer);
    }

    /** All of them, as given. */
    List<Token> tokens() {
        return tokens;
    }

    /** Walks a text: its tokens (special ones only where asked for) and what lies between. */
    void walk(String text, boolean special, Visitor visitor) {
        (special ? raw : rawPlain).walk(text, visitor);
    }

    /** Walks a normalized text the same way. */
    void walkNormalized(String text, boolean special, Visitor visitor) {
        (special ? normal : normalPlain).walk(text, visitor);
    }

    /** One set of tokens in a trie. */
    private static final class Finder {
        private final PieceTrie trie = new PieceTrie();
        private final List<Token> tokens = new ArrayList<>();
        private final long[] starts = new long[1024];

        Finder(List<Token> all, boolean normalized, boolean special, TextNormalizer normalizer) {
            for (Token token : all) {
                String content = normalized ? normalizer.apply(token.content()) : token.content();
                if (token.normalized() == normalized && (special || !token.special()) && !content.isEmpty()) {
                    trie.add(content, tokens.size());
                    tokens.add(token);
                    starts[content.charAt(0) >> 6] |= 1L << content.charAt(0);
                }
            }
        }

        void walk(String text, Visitor visitor) {
            if (tokens.isEmpty()) {
                emit(text, 0, text.length(), visitor);
                return;
            }
            int done = 0;
            for (int at = 0; at < text.length(); ) {
                char c = text.charAt(at);
                long hit = (starts[c >> 6] >>> c & 1) == 0 ? -1 : longest(text, at);
                if (hit < 0) {
                    at++;
                    continue;
                }
                int end = (int) (hit >> 32);
                Token token = tokens.get((int) hit);
                if (token.singleWord() && (wordBefore(text, at) || wordAfter(text, end))) {
                    at = end;
                    continue;
                }
                int from = at;
                while (token.left() && from > done && Properties.isWhiteSpace(text.charAt(from - 1))) {
                    from--;
                }
                int next = end;
                while (token.right() && next < text.length() && Properties.isWhiteSpace(text.charAt(next))) {
                    next++;
                }
                emit(text, done, from, visitor);
                visitor.token(token.id());
                done = next;
                at = next;
            }
            emit(text, done, text.length(), visitor);
        }

        /** end << 32 | index of the longest token at a place, or -1. */
        private long longest(String text, int from) {
            long hit = -1;
            int node = 0;
            for (int i = from; i < text.length(); i++) {
                node = trie.step(node, text.charAt(i));
                if (node < 0) {
                    break;
                }
                if (trie.value(node) >= 0) {
                    hit = (long) (i + 1) << 32 | trie.value(node);
                }
            }
            return hit;
        }

        private static void emit(String text, int from, int to, Visitor visitor) {
            if (from < to) {
                visitor.text(text, from, to);
            }
        }

        private static boolean wordBefore(String text, int at) {
            return at > 0 && Properties.isWord(text.codePointBefore(at));
        }

        private static boolean wordAfter(String text, int at) {
            return at < text.length() && Properties.isWord(text.codePointAt(at));
        }
    }
}
