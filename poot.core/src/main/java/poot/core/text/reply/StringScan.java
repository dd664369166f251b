package poot.core.text.reply;

/** Decodes a JSON string whose opening quote was read. Line breaks inside are kept, as models write them. */
final class StringScan {
    /** What a character was. */
    enum State { MORE, END, BAD }

    private final StringBuilder out;
    private boolean escaped;
    private int digits = -1;                 // of a \\u escape read so far, or -1
    private int code;

    /** Appends the decoded characters to {@code out}. */
    StringScan(StringBuilder out) {
        this.out = out;
    }

    State take(char c) {
        if (digits >= 0) {
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return State.BAD;
            }
            code = 16 * code + digit;
            if (++digits == 4) {
                out.append((char) code);
                digits = -1;
            }
            return State.MORE;
        }
        if (escaped) {
            escaped = false;
            return escape(c);
        }
        if (c == '"') {
            return State.END;
        }
        if (c == '\\') {
            escaped = true;
        } else {
            out.append(c);
        }
        return State.MORE;
    }

    private State escape(char c) {
        switch (c) {
            case '"', '\\', '/' -> out.append(c);
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'u' -> {
                digits = 0;
                code = 0;
            }
            default -> {
                return State.BAD;
            }
        }
        return State.MORE;
    }
}
