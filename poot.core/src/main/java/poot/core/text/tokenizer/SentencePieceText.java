package poot.core.text.tokenizer;

import java.io.ByteArrayOutputStream;

/**
 * SentencePiece's own normalization, as GGUF's unigram vocabularies ask for it: the longest matching rule at each
 * place, runs of spaces made one and the ends trimmed, a space in front, spaces spelled as U+2581.
 *
 * @param rules       replacement rules, or null
 * @param userDefined pieces that pass unchanged
 * @param prefix      put a space in front
 * @param merge       make runs of spaces one
 */
record SentencePieceText(Charsmap rules, PieceTrie userDefined, boolean prefix, boolean merge) implements TextNormalizer {
    private static final char MARK = '\u2581';

    @Override
    public String apply(String text) {
        String s = rules == null ? text : replaced(text);
        StringBuilder out = new StringBuilder(s.length() + 8);
        boolean inWord = false;
        boolean prefixed = false;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == ' ') {
                inWord = false;
                if (!merge) {
                    out.append(MARK);
                }
                continue;
            }
            if (!inWord) {
                inWord = true;
                if (prefix && !prefixed || merge) {
                    out.append(MARK);
                    prefixed = true;
                }
            }
            out.append(c);
        }
        return out.toString();
    }

    private String replaced(String text) {
        byte[] bytes = Utf8.encode(text);
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 16);
        int unit = 0;                                   // the UTF-16 place of bytes[at]
        for (int at = 0; at < bytes.length; ) {
            int user = userDefined(text, unit);
            Charsmap.Match match = user > 0 ? new Charsmap.Match(0, -1) : rules.match(bytes, at, true);
            String replacement = rules.replacement(match.value());
            if (replacement != null) {
                out.writeBytes(Utf8.encode(replacement));
                int stop = at + match.length();
                while (at < stop) {
                    int width = width(bytes[at]);
                    unit += width == 4 ? 2 : 1;
                    at += width;
                }
                continue;
            }
            int stop = unit + Math.max(user, Character.charCount(text.codePointAt(unit)));
            while (unit < stop) {
                int width = width(bytes[at]);
                out.write(bytes, at, width);
                unit += width == 4 ? 2 : 1;
                at += width;
            }
        }
        return Utf8.decode(out.toByteArray());
    }

    private int userDefined(String text, int from) {
        int node = 0;
        int longest = 0;
        for (int i = from; i < text.length(); i++) {
            node = userDefined.step(node, text.charAt(i));
            if (node < 0) {
                break;
            }
            longest = userDefined.value(node) >= 0 ? i + 1 - from : longest;
        }
        return longest;
    }

    private static int width(byte b) {
        int c = b & 0xFF;
        return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    }
}
