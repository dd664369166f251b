package poot.backend.vulkan.spirv;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing run of 32-bit SPIR-V words: instructions one after the other. */
final class Words {
    /** The most words of one instruction: its count has 16 bits. */
    private static final int LONGEST = 0xffff;

    private int[] words = new int[64];
    private int count;

    /** Appends an instruction: {@code op} and its operands, results and types among them in their places. */
    Words op(int op, int... operands) {
        int length = operands.length + 1;
        if (length > LONGEST) {
            throw new IllegalArgumentException("instruction " + op + " of " + length + " words; SPIR-V allows " + LONGEST);
        }
        add(length << 16 | op);
        for (int operand : operands) {
            add(operand);
        }
        return this;
    }

    /** Appends an instruction whose last operand is a string, after {@code operands} and before {@code rest}. */
    Words op(int op, int[] operands, String string, int... rest) {
        int[] text = string(string);
        int[] all = Arrays.copyOf(operands, operands.length + text.length + rest.length);
        System.arraycopy(text, 0, all, operands.length, text.length);
        System.arraycopy(rest, 0, all, operands.length + text.length, rest.length);
        return op(op, all);
    }

    /** Appends one word. */
    void add(int word) {
        if (count == words.length) {
            words = Arrays.copyOf(words, 2 * count);
        }
        words[count++] = word;
    }

    /** Appends other words. */
    void add(Words other) {
        if (count + other.count > words.length) {
            words = Arrays.copyOf(words, Math.max(2 * words.length, count + other.count));
        }
        System.arraycopy(other.words, 0, words, count, other.count);
        count += other.count;
    }

    /** Overwrites the word at {@code position}. */
    void patch(int position, int word) {
        words[position] = word;
    }

    /** How many there are. */
    int count() {
        return count;
    }

    /** A copy of them all. */
    int[] toArray() {
        return Arrays.copyOf(words, count);
    }

    /** UTF-8 bytes, little endian, closed by at least one zero. */
    private static int[] string(String s) {
        byte[] bytes = s.getBytes(StandardCharsets.UTF_8);
        int[] result = new int[bytes.length / 4 + 1];
        for (int i = 0; i < bytes.length; i++) {
            result[i / 4] |= (bytes[i] & 0xff) << 8 * (i % 4);
        }
        return result;
    }
}
