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

    /**
     * A Unicode normalization form. Sorting a run of combining marks costs the square of its length, so a run is cut
     * after 128 of them and each part normalized by itself (UAX #15 calls more than 30 unsafe for streams).
     */
    record Form(Normalizer.Form form) implements TextNormalizer {
        private static final int LONGEST_RUN = 128;

        @Override
        public String apply(String text) {
            StringBuilder out = null;
            int start = 0;
            int run = 0;
            for (int at = 0; at < text.length(); ) {
                int c = text.codePointAt(at);
                run = c >= 0x300 && isMark(c) ? run + 1 : 0;
                at += Character.charCount(c);
                if (run == LONGEST_RUN) {
                    out = out == null ? new StringBuilder(text.length()) : out;
                    out.append(normalized(text.substring(start, at)));
                    start = at;
                    run = 0;
                }
            }
            return out == null ? normalized(text) : out.append(normalized(text.substring(start))).toString();
        }

        private String normalized(String part) {
            return Normalizer.isNormalized(part, form) ? part : Normalizer.normalize(part, form);
        }

        /** True for combining marks of every kind. */
        static boolean isMark(int c) {
            int type = Character.getType(c);
            return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK
                    || type == Character.ENCLOSING_MARK;
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
