package poot.core.text.tokenizer;

import java.text.Normalizer;
import java.util.List;
import java.util.function.IntPredicate;
import poot.core.text.regex.PatternScan;
import poot.core.text.regex.Properties;
import poot.core.text.regex.TextPattern;

/** Rewrites text before it is cut into words. */
sealed interface TextNormalizer permits TextNormalizer.Same, TextNormalizer.Steps, TextNormalizer.Form,
        TextNormalizer.LowerCase, TextNormalizer.Strip, TextNormalizer.Replace, TextNormalizer.Prepend,
        TextNormalizer.Drop, TextNormalizer.Spell, BertText, Charsmap, SentencePieceText {
    /** The text rewritten. */
    String apply(String text);

    /** No change. */
    record Same() implements TextNormalizer {
        @Override
        public String apply(String text) {
            return text;
        }
    }

    /** One after another. */
    record Steps(List<TextNormalizer> steps) implements TextNormalizer {
        @Override
        public String apply(String text) {
            String out = text;
            for (TextNormalizer step : steps) {
                out = step.apply(out);
            }
            return out;
        }
    }

    /** A Unicode normalization form. */
    record Form(Normalizer.Form form) implements TextNormalizer {
        @Override
        public String apply(String text) {
            return Normalizer.isNormalized(text, form) ? text : Normalizer.normalize(text, form);
        }
    }

    /** Lower case, code point by code point: no context, no language. */
    record LowerCase() implements TextNormalizer {
        @Override
        public String apply(String text) {
            StringBuilder out = new StringBuilder(text.length());
            text.codePoints().forEach(c -> {
                if (c == 0x130) {
                    out.append("i\u0307");
                } else {
                    out.appendCodePoint(Character.toLowerCase(c));
                }
            });
            return out.toString();
        }
    }

    /** White space at the ends goes. */
    record Strip(boolean left, boolean right) implements TextNormalizer {
        @Override
        public String apply(String text) {
            int from = 0;
            int to = text.length();
            while (left && from < to && Properties.isWhiteSpace(text.charAt(from))) {
                from++;
            }
            while (right && from < to && Properties.isWhiteSpace(text.charAt(to - 1))) {
                to--;
            }
            return text.substring(from, to);
        }
    }

    /** Every match of a pattern becomes {@code content}. */
    record Replace(TextPattern pattern, String content) implements TextNormalizer {
        @Override
        public String apply(String text) {
            char[] chars = text.toCharArray();
            PatternScan scan = pattern.scan(chars, 0, chars.length);
            StringBuilder out = new StringBuilder(chars.length + 16);
            int at = 0;
            while (scan.find()) {
                out.append(chars, at, scan.start() - at).append(content);
                at = scan.end();
            }
            return at == 0 && out.isEmpty() ? text : out.append(chars, at, chars.length - at).toString();
        }
    }

    /** Puts {@code content} before a text that is not empty. */
    record Prepend(String content) implements TextNormalizer {
        @Override
        public String apply(String text) {
            return text.isEmpty() ? text : content + text;
        }
    }

    /** Code points of a kind go. */
    record Drop(IntPredicate kind) implements TextNormalizer {
        @Override
        public String apply(String text) {
            StringBuilder out = new StringBuilder(text.length());
            text.codePoints().filter(kind.negate()).forEach(out::appendCodePoint);
            return out.toString();
        }
    }

    /** Bytes spelled in {@link ByteAlphabet}. */
    record Spell() implements TextNormalizer {
        @Override
        public String apply(String text) {
            return new String(ByteAlphabet.spell(text.toCharArray(), 0, text.length()));
        }
    }
}
