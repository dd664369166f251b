package poot.core.text.tokenizer;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * UTF-8, both ways: text to bytes (a lone surrogate becomes U+FFFD), and bytes to text as they arrive, each maximal
 * ill-formed part becoming one U+FFFD (Unicode 16, section 3.9, "Substitution of Maximal Subparts").
 */
final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';

    private int code;
    private int missing;
    private int low = 0x80;
    private int high = 0xBF;

    /** The bytes of text[from..to). */
    static byte[] encode(char[] text, int from, int to) {
        byte[] out = new byte[3 * (to - from)];
        int n = 0;
        for (int i = from; i < to; i++) {
            int c = text[i];
            if (Character.isSurrogate(text[i])) {
                c = Character.codePointAt(text, i, to);
                if (c < 0x10000) {
                    c = REPLACEMENT;
                } else {
                    i++;
                }
            }
            n = put(out, n, c);
        }
        return n == out.length ? out : Arrays.copyOf(out, n);
    }

    /** The bytes of a text. */
    static byte[] encode(String text) {
        return encode(text.toCharArray(), 0, text.length());
    }

    /** The text of all the bytes. */
    static String decode(byte[] bytes) {
        Utf8 utf8 = new Utf8();
        StringBuilder out = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            utf8.accept(b & 0xFF, out);
        }
        utf8.finish(out);
        return out.toString();
    }

    /** True if the bytes are well-formed UTF-8. */
    static boolean valid(ByteArrayOutputStream bytes, StringBuilder text) {
        Utf8 utf8 = new Utf8();
        boolean ok = true;
        for (byte b : bytes.toByteArray()) {
            ok &= utf8.accept(b & 0xFF, text);
        }
        return utf8.finish(text) && ok;
    }

    /** Takes one byte and appends what is complete by now; false if something ill-formed was replaced. */
    boolean accept(int b, StringBuilder out) {
        boolean ok = true;
        if (missing > 0) {
            if (b >= low && b <= high) {
                code = code << 6 | b & 0x3F;
                low = 0x80;
                high = 0xBF;
                if (--missing == 0) {
                    out.appendCodePoint(code);
                }
                return true;
            }
            missing = 0;
            low = 0x80;
            high = 0xBF;
            out.append(REPLACEMENT);
            ok = false;
        }
        if (b < 0x80) {
            out.append((char) b);
        } else if (b >= 0xC2 && b <= 0xF4) {
            begin(b);
        } else {
            out.append(REPLACEMENT);
            ok = false;
        }
        return ok;
    }

    /** Ends the text: a character still incomplete becomes one U+FFFD; false if there was one. */
    boolean finish(StringBuilder out) {
        boolean ok = missing == 0;
        if (!ok) {
            out.append(REPLACEMENT);
            missing = 0;
            low = 0x80;
            high = 0xBF;
        }
        return ok;
    }

    private void begin(int b) {
        missing = b < 0xE0 ? 1 : b < 0xF0 ? 2 : 3;
        code = b & (0x3F >> missing);
        switch (b) {
            case 0xE0 -> low = 0xA0;
            case 0xED -> high = 0x9F;
            case 0xF0 -> low = 0x90;
            case 0xF4 -> high = 0x8F;
            default -> {
                low = 0x80;
                high = 0xBF;
            }
        }
    }

    private static int put(byte[] out, int at, int c) {
        int n = at;
        if (c < 0x80) {
            out[n++] = (byte) c;
        } else if (c < 0x800) {
            out[n++] = (byte) (0xC0 | c >> 6);
            out[n++] = (byte) (0x80 | c & 0x3F);
        } else if (c < 0x10000) {
            out[n++] = (byte) (0xE0 | c >> 12);
            out[n++] = (byte) (0x80 | c >> 6 & 0x3F);
            out[n++] = (byte) (0x80 | c & 0x3F);
        } else {
            out[n++] = (byte) (0xF0 | c >> 18);
            out[n++] = (byte) (0x80 | c >> 12 & 0x3F);
            out[n++] = (byte) (0x80 | c >> 6 & 0x3F);
            out[n++] = (byte) (0x80 | c & 0x3F);
        }
        return n;
    }
}
