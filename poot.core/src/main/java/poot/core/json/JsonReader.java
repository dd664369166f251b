package poot.core.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import poot.api.model.CheckpointException;

/**
 * The tokens of a JSON document (RFC 8259, strict UTF-8), one after the other, within stated limits. {@code NaN},
 * {@code Infinity} and {@code -Infinity} are read as reals. Nothing is held but the current token, and a bit for each
 * open bracket.
 */
public final class JsonReader {
    /** What the current token is. */
    public enum Token {
        START_OBJECT, END_OBJECT, START_ARRAY, END_ARRAY,
        /** The name of an object's entry; the next token is or starts its value. */
        NAME,
        STRING,
        /** A number without fraction and exponent that fits 64 bits. */
        INTEGER,
        /** Any other number. */
        REAL,
        TRUE, FALSE, NULL,
        /** The end of the document. */
        END
    }

    private static final int LONGEST_STRING = 64 << 20;
    private static final int LONGEST_NAME = 1 << 16;
    private static final int LONGEST_NUMBER = 512;
    private static final int END_OF_INPUT = -1;

    private final Path file;
    private final Reader in;
    private final JsonLimits limits;
    private final char[] buffer = new char[1 << 13];
    private int at;
    private int filled;
    private long before;                     // characters of the document before the buffer
    private long line = 1;
    private long lineStart;                  // characters of the document before the line
    private boolean[] objects = new boolean[16]; // for each open bracket, whether it is an object's
    private int depth;
    private long tokens;
    private Token token;
    private String text = "";
    private long integer;

    /** Reads a stream, which stays open; {@code file} is named in errors. */
    public JsonReader(Path file, InputStream in, JsonLimits limits) {
        this.file = file;
        this.limits = limits;
        this.in = new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT));
    }

    /** The current token; null before the first. */
    public Token current() {
        return token;
    }

    /** A name, a string, or a number as written. */
    public String text() {
        return text;
    }

    /** The value of {@link Token#INTEGER}. */
    public long integer() {
        return integer;
    }

    /** The value of {@link Token#INTEGER} or {@link Token#REAL}, rounded. */
    public double real() {
        return switch (text) {
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    /** Moves to the next token; {@link Token#END} once the root value is whole. */
    public Token next() throws CheckpointException {
        if (++tokens > limits.tokens()) {
            throw malformed("more than " + limits.tokens() + " values, names and brackets");
        }
        int c = space();
        if (depth == 0) {
            if (token == null) {
                return token = value(c);
            }
            if (c != END_OF_INPUT) {
                throw malformed("text after the end of the root value");
            }
            return token = Token.END;
        }
        boolean object = objects[depth - 1];
        if (token == Token.NAME) {
            return token = value(c);
        }
        if (c == (object ? '}' : ']')) {
            at++;
            depth--;
            return token = object ? Token.END_OBJECT : Token.END_ARRAY;
        }
        if (token != Token.START_OBJECT && token != Token.START_ARRAY) {
            expect(c, ',');
            c = space();
        }
        if (!object) {
            return token = value(c);
        }
        expect(c, '"');
        text = string(LONGEST_NAME);
        expect(space(), ':');
        return token = Token.NAME;
    }

    /** Moves from the start of an object or array to its end; stays at any other token. */
    public void skip() throws CheckpointException {
        if (token == Token.START_OBJECT || token == Token.START_ARRAY) {
            int outside = depth - 1;
            while (depth > outside) {
                next();
            }
        }
    }

    /** A refusal of what stands at the current place. */
    public CheckpointException malformed(String reason) {
        String where = "line " + line + ", column " + (before + at - lineStart + 1);
        return new CheckpointException(new CheckpointException.Malformed(file, where, reason));
    }

    private Token value(int c) throws CheckpointException {
        return switch (c) {
            case '{', '[' -> open(c == '{');
            case '"' -> {
                at++;
                text = string((int) Math.min(limits.bytes(), LONGEST_STRING));
                yield Token.STRING;
            }
            case 't' -> word("true", Token.TRUE);
            case 'f' -> word("false", Token.FALSE);
            case 'n' -> word("null", Token.NULL);
            case 'N' -> word("NaN", Token.REAL);
            case 'I' -> word("Infinity", Token.REAL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(c);
            default -> throw malformed("not valid JSON: " + shown(c) + " where a value should start");
        };
    }

    private Token open(boolean object) throws CheckpointException {
        at++;
        if (depth == limits.depth()) {
            throw malformed("nested deeper than " + limits.depth());
        }
        if (depth == objects.length) {
            objects = Arrays.copyOf(objects, 2 * depth);
        }
        objects[depth++] = object;
        return object ? Token.START_OBJECT : Token.START_ARRAY;
    }

    private Token word(String word, Token kind) throws CheckpointException {
        for (int i = 0; i < word.length(); i++) {
            expect(peek(), word.charAt(i));
        }
        text = word;
        return kind;
    }

    private Token number(int first) throws CheckpointException {
        StringBuilder out = new StringBuilder(24);
        int c = first;
        if (c == '-') {
            c = keep(out);
            if (c == 'I') {
                word("Infinity", Token.REAL);
                text = "-Infinity";
                return Token.REAL;
            }
        }
        c = c == '0' ? keep(out) : digits(out);
        boolean whole = true;
        if (c == '.') {
            whole = false;
            keep(out);
            c = digits(out);
        }
        if (c == 'e' || c == 'E') {
            whole = false;
            c = keep(out);
            if (c == '+' || c == '-') {
                keep(out);
            }
            c = digits(out);
        }
        if (c >= '0' && c <= '9') {
            throw malformed("not valid JSON: a number that starts with 0");
        }
        text = out.toString();
        return whole && fits() ? Token.INTEGER : Token.REAL;
    }

    /** Whether the number's text is within 64 bits; then {@link #integer} is set to it. */
    private boolean fits() {
        boolean negative = text.charAt(0) == '-';
        long value = 0;                      // negative, as there are more of those
        for (int i = negative ? 1 : 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (value < (Long.MIN_VALUE + digit) / 10) {
                return false;
            }
            value = 10 * value - digit;
        }
        integer = negative ? value : -value;
        return negative || value != Long.MIN_VALUE;
    }

    /** Keeps one digit or more; the character after them. */
    private int digits(StringBuilder out) throws CheckpointException {
        int c = peek();
        if (c < '0' || c > '9') {
            throw malformed("not valid JSON: " + shown(c) + " where a digit should be");
        }
        while (c >= '0' && c <= '9') {
            c = keep(out);
        }
        return c;
    }

    /** Keeps the current character of a number; the one after it. */
    private int keep(StringBuilder out) throws CheckpointException {
        if (out.length() == LONGEST_NUMBER) {
            throw malformed("a number of more than " + LONGEST_NUMBER + " characters");
        }
        out.append(buffer[at++]);
        return peek();
    }

    /** The rest of a string whose opening quote was read. */
    private String string(int longest) throws CheckpointException {
        StringBuilder out = null;
        while (true) {
            int start = at;
            int end = start;
            while (end < filled && buffer[end] >= ' ' && buffer[end] != '"' && buffer[end] != '\\') {
                end++;
            }
            at = end;
            if ((out == null ? 0L : out.length()) + end - start > longest) {
                throw malformed("a string or name of more than " + longest + " characters");
            }
            if (out == null && end < filled && buffer[end] == '"') {
                at++;
                return new String(buffer, start, end - start);
            }
            out = out == null ? new StringBuilder(2 * (end - start) + 16) : out;
            out.append(buffer, start, end - start);
            int c = peek();
            if (c == '"') {
                at++;
                return out.toString();
            } else if (c == '\\') {
                at++;
                out.append(escaped());
            } else if (c < ' ') {
                throw malformed("not valid JSON: " + shown(c) + " inside a string");
            }
        }
    }

    /** What an escape stands for, the backslash being read. */
    private char escaped() throws CheckpointException {
        int c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> (char) c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int code = 0;
                for (int i = 0; i < 4; i++) {
                    int digit = Character.digit(Math.max(0, peek()), 16);
                    if (digit < 0 || peek() > 'f') {
                        throw malformed("not valid JSON: " + shown(peek()) + " where a hexadecimal digit should be");
                    }
                    code = 16 * code + digit;
                    at++;
                }
                yield (char) code;
            }
            default -> throw malformed("not valid JSON: an escape of " + shown(c));
        };
    }

    private void expect(int c, char wanted) throws CheckpointException {
        if (c != wanted) {
            throw malformed("not valid JSON: " + shown(c) + " where '" + wanted + "' should be");
        }
        at++;
    }

    /** The next character that is no white space. */
    private int space() throws CheckpointException {
        while (true) {
            int c = peek();
            if (c == '\n') {
                line++;
                lineStart = before + at + 1;
            } else if (c != ' ' && c != '\t' && c != '\r') {
                return c;
            }
            at++;
        }
    }

    /** The current character, or {@link #END_OF_INPUT}. */
    private int peek() throws CheckpointException {
        if (at < filled) {
            return buffer[at];
        }
        before += filled;
        at = 0;
        filled = 0;
        try {
            filled = Math.max(0, in.read(buffer));
        } catch (CharacterCodingException e) {
            throw new CheckpointException(new CheckpointException.Malformed(file, "document", "not valid UTF-8"), e);
        } catch (IOException e) {
            throw new CheckpointException(new CheckpointException.Unreadable(file, String.valueOf(e.getMessage())), e);
        }
        if (before + filled > limits.bytes()) {
            throw malformed("longer than " + limits.bytes() + " bytes");
        }
        return filled == 0 ? END_OF_INPUT : buffer[0];
    }

    private String shown(int c) {
        if (c == END_OF_INPUT) {
            return "the end of the document";
        }
        return c <= ' ' || c > '~' ? "U+" + Integer.toHexString(0x10000 | c).substring(1).toUpperCase(java.util.Locale.ROOT) : "'" + (char) c + "'";
    }
}
