package poot.core.text.template;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import poot.core.text.template.Token.Kind;

/**
 * Template text to tokens, by jinja2's rules with {@code trim_blocks} and {@code lstrip_blocks} on: a newline after a
 * block or comment goes, white space before one that starts its line goes; {@code -} takes all white space on its
 * side, {@code +} keeps it. One trailing newline of the source goes. Linear in the source.
 */
final class Lexer {
    private static final List<String> OPERATORS = List.of("//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%",
        "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".", ":", "|", ",", ";");

    private final String template;
    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;
    private boolean lineStarting = true;

    private Lexer(String template, String source) {
        this.template = template;
        String unix = source.replace("\r\n", "\n").replace('\r', '\n');
        this.source = unix.endsWith("\n") ? unix.substring(0, unix.length() - 1) : unix;
    }

    /** The tokens of a source, {@code END} last. */
    static List<Token> scan(String template, String source) throws TemplateException {
        Lexer lexer = new Lexer(template, source);
        while (lexer.at < lexer.source.length()) {
            lexer.root();
        }
        lexer.emit(Kind.END, "");
        return List.copyOf(lexer.tokens);
    }

    /** Text up to the next tag, and that tag. */
    private void root() throws TemplateException {
        int tag = nextTag();
        if (tag < 0) {
            emit(Kind.DATA, source.substring(at));
            at = source.length();
            return;
        }
        char kind = source.charAt(tag + 1);
        int raw = kind == '%' ? rawBegin(tag) : -1;
        text(tag, kind == '{');
        int end = raw >= 0 ? raw : tag + 2 + (sign(tag) == 0 ? 0 : 1);
        if (raw >= 0) {
            move(end);
            raw();
        } else if (kind == '#') {
            move(end);
            comment();
        } else {
            emit(kind == '{' ? Kind.PRINT_BEGIN : Kind.BLOCK_BEGIN, "");
            move(end);
            expression(kind == '{' ? "}}" : "%}", kind == '{' ? Kind.PRINT_END : Kind.BLOCK_END);
        }
    }

    private int nextTag() {
        for (int i = source.indexOf('{', at); i >= 0 && i + 1 < source.length(); i = source.indexOf('{', i + 1)) {
            char next = source.charAt(i + 1);
            if (next == '{' || next == '%' || next == '#') {
                return i;
            }
        }
        return -1;
    }

    /** The {@code -} or {@code +} after an opening delimiter, or 0. */
    private char sign(int tag) {
        char c = tag + 2 < source.length() ? source.charAt(tag + 2) : 0;
        return c == '-' || c == '+' ? c : 0;
    }

    /** Emits the text before a tag, stripped as the tag's sign or position asks. */
    private void text(int tag, boolean print) {
        String text = source.substring(at, tag);
        char sign = sign(tag);
        String kept = text;
        if (sign == '-') {
            kept = PythonText.strip(text, null, false, true);
        } else if (sign == 0 && !print) {
            int start = text.lastIndexOf('\n') + 1;
            if ((start > 0 || lineStarting) && PythonText.isSpace(text.substring(start))) {
                kept = text.substring(0, start);
            }
        }
        if (!kept.isEmpty()) {
            emit(Kind.DATA, kept);
        }
        move(tag);
    }

    /** Where {@code {% raw %}} at {@code tag} ends, or -1 where there is none. */
    private int rawBegin(int tag) {
        int i = spaces(tag + 2 + (sign(tag) == 0 ? 0 : 1));
        if (!source.startsWith("raw", i)) {
            return -1;
        }
        i = spaces(i + 3);
        if (source.startsWith("%}", i)) {
            return i + 2;
        }
        return source.startsWith("-%}", i) ? spaces(i + 3) : -1;
    }

    private void raw() throws TemplateException {
        int opened = line;
        for (int tag = source.indexOf("{%", at); tag >= 0; tag = source.indexOf("{%", tag + 2)) {
            int i = spaces(tag + 2 + (sign(tag) == 0 ? 0 : 1));
            if (source.startsWith("endraw", i)) {
                int end = closing(spaces(i + 6), "%}", true);
                if (end >= 0) {
                    text(tag, false);
                    move(end);
                    return;
                }
            }
        }
        // A directive that ends the source with nothing in it is taken, as jinja2 takes it.
        if (at < source.length()) {
            throw syntax("missing end of raw directive", opened);
        }
    }

    private void comment() throws TemplateException {
        int end = source.indexOf("#}", at);
        if (end >= 0) {
            boolean signed = end > at && (source.charAt(end - 1) == '-' || source.charAt(end - 1) == '+');
            move(closing(signed ? end - 1 : end, "#}", true));
            return;
        }
        if (at < source.length()) {
            throw syntax("missing end of comment tag", line);
        }
    }

    /** Where a closing delimiter at {@code i} ends with the white space it takes, or -1 where there is none. */
    private int closing(int i, String delimiter, boolean block) {
        if (source.startsWith(delimiter, i)) {
            int end = i + delimiter.length();
            return block && end < source.length() && source.charAt(end) == '\n' ? end + 1 : end;
        }
        if (i < source.length() && source.startsWith(delimiter, i + 1)) {
            int end = i + 1 + delimiter.length();
            if (source.charAt(i) == '-') {
                return spaces(end);
            }
            return block && source.charAt(i) == '+' ? end : -1;
        }
        return -1;
    }

    /** The tokens of a tag up to its closing delimiter, which is one only outside brackets. */
    private void expression(String delimiter, Kind closes) throws TemplateException {
        Deque<Character> open = new ArrayDeque<>();
        while (at < source.length()) {
            int end = open.isEmpty() ? closing(at, delimiter, closes == Kind.BLOCK_END) : -1;
            if (end >= 0) {
                emit(closes, "");
                move(end);
                return;
            }
            char c = source.charAt(at);
            if (PythonText.isSpace(c)) {
                move(spaces(at));
            } else if (c >= '0' && c <= '9') {
                number();
            } else if (isWord(at)) {
                name();
            } else if (c == '\'' || c == '"') {
                string(c);
            } else {
                operator(open);
            }
        }
    }

    private void number() {
        int start = at;
        boolean afterDot = start > 0 && source.charAt(start - 1) == '.';
        NumberLiteral literal = new NumberLiteral(source, start);
        int end = afterDot ? -1 : literal.floatEnd();
        boolean whole = end < 0;
        end = whole ? literal.integerEnd() : end;
        emit(whole ? Kind.INTEGER : Kind.FLOAT, source.substring(start, end).replace("_", ""));
        move(end);
    }

    private void name() throws TemplateException {
        int start = at;
        int end = start;
        while (end < source.length() && isWord(end)) {
            end += Character.charCount(source.codePointAt(end));
        }
        if (!Character.isUnicodeIdentifierStart(source.codePointAt(start)) && source.charAt(start) != '_') {
            throw syntax("invalid character in identifier", line);
        }
        emit(Kind.NAME, source.substring(start, end));
        move(end);
    }

    private boolean isWord(int i) {
        int c = source.codePointAt(i);
        return c == '_' || Character.isLetterOrDigit(c);
    }

    private void string(char quote) throws TemplateException {
        int end = at + 1;
        while (end < source.length() && source.charAt(end) != quote) {
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= source.length()) {
            throw syntax("unexpected char " + quote + ": the string is not closed", line);
        }
        String problem = StringLiteral.problem(source, at + 1, end);
        if (problem != null) {
            throw syntax(problem, line);
        }
        emit(Kind.STRING, StringLiteral.unescape(source, at + 1, end));
        move(end + 1);
    }

    private void operator(Deque<Character> open) throws TemplateException {
        for (String operator : OPERATORS) {
            if (source.startsWith(operator, at)) {
                char c = operator.charAt(0);
                switch (c) {
                    case '(' -> open.push(')');
                    case '[' -> open.push(']');
                    case '{' -> open.push('}');
                    case ')', ']', '}' -> {
                        if (open.isEmpty() || open.pop() != c) {
                            throw syntax("unexpected '" + c + "'", line);
                        }
                    }
                    default -> { }
                }
                emit(Kind.OPERATOR, operator);
                move(at + operator.length());
                return;
            }
        }
        throw syntax("unexpected char '" + Character.toString(source.codePointAt(at)) + "'", line);
    }

    private int spaces(int from) {
        int i = from;
        while (i < source.length() && PythonText.isSpace(source.charAt(i))) {
            i++;
        }
        return i;
    }

    private void emit(Kind kind, String text) {
        tokens.add(new Token(kind, text, line));
    }

    private void move(int to) {
        for (int i = source.indexOf('\n', at, to); i >= 0; i = source.indexOf('\n', i + 1, to)) {
            line++;
        }
        if (to > at) {
            lineStarting = source.charAt(to - 1) == '\n';
        }
        at = to;
    }

    private TemplateException syntax(String problem, int where) {
        return new TemplateException(new TemplateException.Syntax(template, where, problem));
    }
}
