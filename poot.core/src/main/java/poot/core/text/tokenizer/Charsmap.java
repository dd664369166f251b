package poot.core.text.tokenizer;

import java.text.BreakIterator;
import java.util.Arrays;
import java.util.Locale;

/**
 * SentencePiece's precompiled replacement rules: a double array over UTF-8 (darts-clone layout: offset in bits 10..30,
 * doubled by bit 9; label in bits 0..7; leaf in bit 8) whose leaves index NUL-terminated replacements.
 *
 * <p>As Hugging Face applies it: a grapheme cluster of under six bytes is replaced whole by the rule of its shortest
 * matching prefix; otherwise each of its code points is.
 */
final class Charsmap implements TextNormalizer {
    private static final int WHOLE_CLUSTER_BYTES = 6;

    private final int[] units;
    private final byte[] replacements;
    private final String[] ascii = new String[128];

    private Charsmap(int[] units, byte[] replacements) {
        this.units = units;
        this.replacements = replacements;
        for (int c = 0; c < ascii.length; c++) {
            ascii[c] = replacement(match(new byte[] {(byte) c}, 0, false).value());
        }
    }

    /** The rules in a blob: u32 length of the array in bytes, the array, the replacements; null if malformed. */
    static Charsmap of(byte[] blob) {
        if (blob.length < 4) {
            return null;
        }
        long size = word(blob, 0) & 0xFFFFFFFFL;
        if (size % 4 != 0 || size < 4 || size > blob.length - 4) {
            return null;
        }
        int[] units = new int[(int) (size / 4)];
        for (int i = 0; i < units.length; i++) {
            units[i] = word(blob, 4 + 4 * i);
        }
        return new Charsmap(units, Arrays.copyOfRange(blob, 4 + (int) size, blob.length));
    }

    @Override
    public String apply(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int at = 0; at < text.length(); ) {
            if (alone(text, at)) {
                String one = ascii[text.charAt(at)];
                if (one == null) {
                    out.append(text.charAt(at));
                } else {
                    out.append(one);
                }
                at++;
                continue;
            }
            int stop = at + 1;
            while (stop < text.length() && !alone(text, stop)) {
                stop++;
            }
            clusters(text.substring(at, stop), out);
            at = stop;
        }
        return out.toString();
    }

    /** True if the character at a place is ASCII and a grapheme cluster of its own. */
    private static boolean alone(String text, int at) {
        char c = text.charAt(at);
        boolean lineEnd = c == '\n' && at > 0 && text.charAt(at - 1) == '\r';
        return c < 128 && c != '\r' && !lineEnd && (at + 1 == text.length() || text.charAt(at + 1) < 128)
                && (at == 0 || text.charAt(at - 1) < 128);
    }

    private void clusters(String text, StringBuilder out) {
        BreakIterator clusters = BreakIterator.getCharacterInstance(Locale.ROOT);
        clusters.setText(text);
        int from = clusters.first();
        for (int to = clusters.next(); to != BreakIterator.DONE; to = clusters.next()) {
            cluster(text.substring(from, to), out);
            from = to;
        }
    }

    private void cluster(String cluster, StringBuilder out) {
        byte[] bytes = Utf8.encode(cluster);
        if (bytes.length < WHOLE_CLUSTER_BYTES) {
            String whole = replacement(match(bytes, 0, false).value());
            if (whole != null) {
                out.append(whole);
                return;
            }
        }
        cluster.codePoints().forEach(c -> {
            String one = replacement(match(Utf8.encode(Character.toString(c)), 0, false).value());
            out.append(one == null ? Character.toString(c) : one);
        });
    }

    /** A rule found: the bytes it covers, and the offset of its replacement, or -1. */
    record Match(int length, int value) { }

    /** The shortest (or longest) rule that matches at bytes[from..]. */
    Match match(byte[] bytes, int from, boolean longest) {
        Match found = new Match(0, -1);
        int node = offset(units[0]);
        for (int i = from; i < bytes.length; i++) {
            int b = bytes[i] & 0xFF;
            node ^= b;
            if (b == 0 || node < 0 || node >= units.length || (units[node] & 0x800000FF) != b) {
                return found;
            }
            int unit = units[node];
            node ^= offset(unit);
            if ((unit >>> 8 & 1) != 0 && node >= 0 && node < units.length) {
                found = new Match(i - from + 1, units[node] & 0x7FFFFFFF);
                if (!longest) {
                    return found;
                }
            }
        }
        return found;
    }

    /** The replacement at an offset, or null where there is none. */
    String replacement(int offset) {
        if (offset < 0 || offset >= replacements.length) {
            return null;
        }
        int end = offset;
        while (end < replacements.length && replacements[end] != 0) {
            end++;
        }
        return Utf8.decode(Arrays.copyOfRange(replacements, offset, end));
    }

    private static int offset(int unit) {
        return (unit >>> 10) << ((unit & 1 << 9) >>> 6);
    }

    private static int word(byte[] b, int at) {
        return b[at] & 0xFF | (b[at + 1] & 0xFF) << 8 | (b[at + 2] & 0xFF) << 16 | (b[at + 3] & 0xFF) << 24;
    }
}
