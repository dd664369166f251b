package poot.core.text.tokenizer;

import java.util.Arrays;

/**
 * The 256 characters GPT-2's byte-level vocabularies spell bytes with: printable Latin-1 stands for itself, the other
 * bytes for U+0100 and up in order.
 */
final class ByteAlphabet {
    private static final char[] CHARS = new char[256];
    private static final short[] BYTES = new short[0x180];

    static {
        Arrays.fill(BYTES, (short) -1);
        int next = 0x100;
        for (int b = 0; b < 256; b++) {
            boolean printable = b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE;
            CHARS[b] = (char) (printable ? b : next++);
            BYTES[CHARS[b]] = (short) b;
        }
    }

    private ByteAlphabet() {
    }

    /** The character that stands for a byte, 0..255. */
    static char character(int b) {
        return CHARS[b];
    }

    /** The byte a character stands for, or -1. */
    static int byteOf(char c) {
        return c < BYTES.length ? BYTES[c] : -1;
    }

    /** The bytes of text[from..to), each as its character. */
    static char[] spell(char[] text, int from, int to) {
        byte[] bytes = Utf8.encode(text, from, to);
        char[] out = new char[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            out[i] = CHARS[bytes[i] & 0xFF];
        }
        return out;
    }

    /** The bytes a piece spells; a piece with any other character stands for its own UTF-8. */
    static byte[] bytes(String piece) {
        byte[] out = new byte[piece.length()];
        for (int i = 0; i < out.length; i++) {
            int b = byteOf(piece.charAt(i));
            if (b < 0) {
                return Utf8.encode(piece);
            }
            out[i] = (byte) b;
        }
        return out;
    }
}
