package poot.core.text.tokenizer;

import java.text.Normalizer;
import poot.core.text.regex.Properties;

/**
 * BERT's text clean-up: control characters go and white space becomes spaces, Chinese characters stand alone, accents
 * go, letters become lower case; each step by its switch.
 */
record BertText(boolean clean, boolean spaceChinese, boolean stripAccents, boolean lowerCase) implements TextNormalizer {
    @Override
    public String apply(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> cleaned(c, out));
        String s = out.toString();
        if (stripAccents) {
            s = new TextNormalizer.Drop(c -> Character.getType(c) == Character.NON_SPACING_MARK)
                    .apply(new TextNormalizer.Form(Normalizer.Form.NFD).apply(s));
        }
        return lowerCase ? new TextNormalizer.LowerCase().apply(s) : s;
    }

    private void cleaned(int c, StringBuilder out) {
        if (clean) {
            boolean space = Properties.isWhiteSpace(c) && c != 0x0B && c != 0x0C && c != 0x85;
            if (space) {
                out.append(' ');
                return;
            }
            if (c == 0 || c == 0xFFFD || Properties.category(c).startsWith("c") && Character.isDefined(c)) {
                return;
            }
        }
        if (spaceChinese && isChinese(c)) {
            out.append(' ').appendCodePoint(c).append(' ');
        } else {
            out.appendCodePoint(c);
        }
    }

    /** The blocks BERT counts as Chinese, with the one the reference has at 2B920 in place of 2B820. */
    private static boolean isChinese(int c) {
        return c >= 0x4E00 && c <= 0x9FFF || c >= 0x3400 && c <= 0x4DBF || c >= 0x20000 && c <= 0x2A6DF
                || c >= 0x2A700 && c <= 0x2B73F || c >= 0x2B740 && c <= 0x2B81F || c >= 0x2B920 && c <= 0x2CEAF
                || c >= 0xF900 && c <= 0xFAFF || c >= 0x2F800 && c <= 0x2FA1F;
    }

    /** What BERT counts as punctuation: every P* category, and all of ASCII's non-alphanumerics. */
    static boolean isPunctuation(int c) {
        boolean ascii = c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~';
        return ascii || Properties.category(c).startsWith("p");
    }
}
