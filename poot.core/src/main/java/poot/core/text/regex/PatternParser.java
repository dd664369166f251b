package poot.core.text.regex;

import java.util.ArrayList;
import java.util.List;

/** Reads a pattern in Oniguruma's spelling (Ruby syntax) into nodes; depth, length and counts are bounded. */
final class PatternParser {
    /** Longest pattern read, in UTF-16 units. */
    static final int MAX_LENGTH = 1 << 12;
    /** Largest repeat count. */
    static final int MAX_COUNT = 1000;
    private static final int MAX_DEPTH = 64;
    private static final String UNENDING = "unterminated group";

    private final String pattern;
    private final ClassParser classes;
    private int at;
    private int depth;
    private boolean ignoreCase;
    private boolean dotAll;

    private PatternParser(String pattern) {
        this.pattern = pattern;
        this.classes = new ClassParser(pattern);
    }

    /** The nodes of a pattern. */
    static Node parse(String pattern) throws RegexException {
        if (pattern.length() > MAX_LENGTH) {
            throw new RegexException(MAX_LENGTH, "pattern longer than " + MAX_LENGTH + " UTF-16 units", true);
        }
        PatternParser parser = new PatternParser(pattern);
        Node node = parser.choice();
        if (parser.at < pattern.length()) {
            throw parser.malformed("unmatched )");
        }
        return node;
    }

    private Node choice() throws RegexException {
        if (++depth > MAX_DEPTH) {
            throw new RegexException(at, "groups nested deeper than " + MAX_DEPTH, true);
        }
        boolean outerCase = ignoreCase;
        boolean outerDot = dotAll;
        List<Node> branches = new ArrayList<>();
        branches.add(chain());
        while (peek('|')) {
            at++;
            branches.add(chain());
        }
        ignoreCase = outerCase;
        dotAll = outerDot;
        depth--;
        return branches.size() == 1 ? branches.getFirst() : new Node.Choice(List.copyOf(branches));
    }

    private Node chain() throws RegexException {
        List<Node> parts = new ArrayList<>();
        while (at < pattern.length() && !peek('|') && !peek(')')) {
            Node part = atom();
            if (part != null) {
                parts.add(repeats(part));
            }
        }
        return parts.size() == 1 ? parts.getFirst() : new Node.Chain(List.copyOf(parts));
    }

    private Node repeats(Node body) throws RegexException {
        Node out = body;
        int wraps = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            int[] count = c == '*' ? new int[] {0, -1} : c == '+' ? new int[] {1, -1} : c == '?' ? new int[] {0, 1}
                    : c == '{' ? braces() : null;
            if (count == null) {
                return out;
            }
            if (++wraps > 4) {
                throw malformed("too many quantifiers in a row");
            }
            if (c != '{') {
                at++;
            }
            Node.Mode mode = Node.Mode.GREEDY;
            if (peek('?')) {
                at++;
                mode = Node.Mode.LAZY;
            } else if (c != '{' && peek('+')) {
                at++;
                mode = Node.Mode.POSSESSIVE;
            }
            out = new Node.Repeat(out, count[0], count[1], mode);
        }
        return out;
    }

    /** The bounds of {n}, {n,}, {,m} or {n,m}; null (and nothing consumed) where the brace is a plain character. */
    private int[] braces() throws RegexException {
        int close = pattern.indexOf('}', at);
        String inside = close < 0 ? "" : pattern.substring(at + 1, close);
        if (!inside.matches("[0-9]{1,6}(,[0-9]{0,6})?|,[0-9]{1,6}")) {
            return null;
        }
        int comma = inside.indexOf(',');
        String low = comma < 0 ? inside : inside.substring(0, comma);
        String high = comma < 0 ? inside : inside.substring(comma + 1);
        int min = low.isEmpty() ? 0 : Integer.parseInt(low);
        int max = high.isEmpty() ? -1 : Integer.parseInt(high);
        if (min > MAX_COUNT || max > MAX_COUNT) {
            throw new RegexException(at, "repeat count above " + MAX_COUNT, true);
        }
        if (max >= 0 && max < min) {
            throw malformed("repeat bounds out of order");
        }
        at = close + 1;
        return new int[] {min, max};
    }

    private Node atom() throws RegexException {
        int c = pattern.codePointAt(at);
        switch (c) {
            case '(' -> {
                return group();
            }
            case '[' -> {
                CodeSet set = classes.bracket(at, ignoreCase);
                at = classes.end();
                return new Node.One(set);
            }
            case '\\' -> {
                return escape();
            }
            case '.' -> {
                at++;
                return new Node.One(dotAll ? CodeSet.none().negate() : CodeSet.range('\n', '\n').negate());
            }
            case '^' -> {
                at++;
                return new Node.At(Node.Edge.LINE_START);
            }
            case '$' -> {
                at++;
                return new Node.At(Node.Edge.LINE_END);
            }
            case '*', '+', '?' -> throw malformed("nothing to repeat");
            default -> {
                at += Character.charCount(c);
                return literal(c);
            }
        }
    }

    private Node literal(int c) {
        CodeSet set = CodeSet.range(c, c);
        return new Node.One(ignoreCase ? Properties.foldCase(set) : set);
    }

    private Node escape() throws RegexException {
        if (at + 1 >= pattern.length()) {
            throw malformed("pattern ends in a backslash");
        }
        Node.Edge edge = switch (pattern.charAt(at + 1)) {
            case 'b' -> Node.Edge.WORD;
            case 'B' -> Node.Edge.NOT_WORD;
            case 'A' -> Node.Edge.TEXT_START;
            case 'z' -> Node.Edge.TEXT_END;
            case 'Z' -> Node.Edge.TEXT_END_OR_LAST_NEWLINE;
            default -> null;
        };
        if (edge != null) {
            at += 2;
            return new Node.At(edge);
        }
        CodeSet set = classes.escape(at);
        at = classes.end();
        return new Node.One(ignoreCase ? Properties.foldCase(set) : set);
    }

    private Node group() throws RegexException {
        int open = at++;
        if (!peek('?')) {
            return closed(open, choice());
        }
        at++;
        if (at >= pattern.length()) {
            throw malformed(UNENDING);
        }
        char kind = pattern.charAt(at);
        switch (kind) {
            case ':' -> {
                at++;
                return closed(open, choice());
            }
            case '=', '!' -> {
                at++;
                return new Node.Ahead(closed(open, choice()), kind == '!');
            }
            case '>' -> {
                at++;
                return new Node.Atomic(closed(open, choice()));
            }
            case '#' -> {
                int close = pattern.indexOf(')', at);
                if (close < 0) {
                    throw malformed("unterminated comment");
                }
                at = close + 1;
                return null;
            }
            case '<' -> {
                return angle(open);
            }
            default -> {
                return flags(open);
            }
        }
    }

    private Node angle(int open) throws RegexException {
        char next = at + 1 < pattern.length() ? pattern.charAt(at + 1) : 0;
        if (next == '=' || next == '!') {
            at += 2;
            Node body = closed(open, choice());
            if (body instanceof Node.One one) {
                return new Node.Behind(one.set(), next == '!');
            }
            throw new RegexException(open, "lookbehind of more than one character", true);
        }
        int close = pattern.indexOf('>', at);
        if (close < 0 || !pattern.substring(at + 1, close).matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw malformed("malformed group name");
        }
        at = close + 1;
        return closed(open, choice());
    }

    private Node flags(int open) throws RegexException {
        boolean on = true;
        boolean fold = ignoreCase;
        boolean dot = dotAll;
        for (; at < pattern.length(); at++) {
            char c = pattern.charAt(at);
            switch (c) {
                case '-' -> on = false;
                case 'i' -> fold = on;
                case 'm', 's' -> dot = on;
                case ')', ':' -> {
                    boolean outerCase = ignoreCase;
                    boolean outerDot = dotAll;
                    ignoreCase = fold;
                    dotAll = dot;
                    at++;
                    if (c == ')') {
                        return null;
                    }
                    Node body = choice();
                    ignoreCase = outerCase;
                    dotAll = outerDot;
                    return closed(open, body);
                }
                default -> throw new RegexException(at, "group option '" + c + "'", true);
            }
        }
        throw malformed(UNENDING);
    }

    private Node closed(int open, Node body) throws RegexException {
        if (!peek(')')) {
            throw new RegexException(open, UNENDING, false);
        }
        at++;
        return body;
    }

    private boolean peek(char c) {
        return at < pattern.length() && pattern.charAt(at) == c;
    }

    private RegexException malformed(String reason) {
        return new RegexException(at, reason, false);
    }
}
