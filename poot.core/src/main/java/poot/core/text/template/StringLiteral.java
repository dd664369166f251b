package poot.core.text.template;

/** The escapes of a quoted string, as Python's {@code unicode-escape} codec reads them. */
final class StringLiteral {
    private StringLiteral() { }

    /** What is wrong with the literal between {@code from} and {@code to}, or null. */
    static String problem(String source, int from, int to) {
        for (int i = source.indexOf('\\', from, to); i >= 0; i = source.indexOf('\\', Math.min(i + 2, to), to)) {
            char c = source.charAt(i + 1);
            int width = width(c);
            if (c == 'N') {
                return "\\N character names are not supported in strings";
            }
            if (width > 0 && code(source, i + 2, Math.min(to, i + 2 + width), width) < 0) {
                return "truncated or illegal \\" + c + " escape";
            }
        }
        return null;
    }

    /** The literal's value; {@link #problem} must be null. */
    static String unescape(String source, int from, int to) {
        StringBuilder text = new StringBuilder(to - from);
        for (int i = from; i < to; ) {
            char c = source.charAt(i);
            if (c != '\\') {
                text.append(c);
                i++;
                continue;
            }
            char kind = source.charAt(i + 1);
            int width = width(kind);
            if (width > 0) {
                text.appendCodePoint(code(source, i + 2, i + 2 + width, width));
                i += 2 + width;
            } else if (kind >= '0' && kind <= '7') {
                int end = i + 1;
                while (end < to && end < i + 4 && source.charAt(end) >= '0' && source.charAt(end) <= '7') {
                    end++;
                }
                text.append((char) Integer.parseInt(source, i + 1, end, 8));
                i = end;
            } else {
                i += 1 + simple(text, source, i + 1);
            }
        }
        return text.toString();
    }

    /** Appends the escape of one character at {@code i}; returns how many chars it took. */
    private static int simple(StringBuilder text, String source, int i) {
        int c = source.codePointAt(i);
        switch (c) {
            case '\n' -> { }
            case 'n' -> text.append('\n');
            case 't' -> text.append('\t');
            case 'r' -> text.append('\r');
            case 'a' -> text.append('\u0007');
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'v' -> text.append('\u000b');
            case '\\', '\'', '"' -> text.append((char) c);
            default -> {
                // Unknown escapes keep their backslash; one before a non-ASCII character spells that character out.
                String spelled = c < 128 ? Character.toString(c) : c < 256 ? "x%02x".formatted(c)
                    : c < 0x10000 ? "u%04x".formatted(c) : "U%08x".formatted(c);
                text.append('\\').append(spelled);
            }
        }
        return Character.charCount(c);
    }

    private static int width(char kind) {
        return switch (kind) {
            case 'x' -> 2;
            case 'u' -> 4;
            case 'U' -> 8;
            default -> 0;
        };
    }

    private static int code(String source, int from, int to, int width) {
        if (to - from < width) {
            return -1;
        }
        int code = 0;
        for (int i = from; i < to; i++) {
            int digit = source.charAt(i) < 128 ? Character.digit(source.charAt(i), 16) : -1;
            if (digit < 0 || code > 0x10ffff) {
                return -1;
            }
            code = code * 16 + digit;
        }
        return code <= 0x10ffff ? code : -1;
    }
}
