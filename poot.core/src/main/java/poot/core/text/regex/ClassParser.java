package poot.core.text.regex;

/** Reads bracketed classes and class escapes; {@link #end} is where the last one read ends. */
final class ClassParser {
    private static final int MAX_DEPTH = 16;

    private final String pattern;
    private int at;
    private int depth;

    ClassParser(String pattern) {
        this.pattern = pattern;
    }

    /** The offset after what was read last. */
    int end() {
        return at;
    }

    /** The class whose [ is at {@code from}. */
    CodeSet bracket(int from, boolean ignoreCase) throws RegexException {
        at = from;
        depth = 0;
        CodeSet set = bracketed(ignoreCase);
        return set;
    }

    /** The set of the escape whose backslash is at {@code from}. */
    CodeSet escape(int from) throws RegexException {
        at = from;
        return escaped();
    }

    private CodeSet bracketed(boolean ignoreCase) throws RegexException {
        if (++depth > MAX_DEPTH) {
            throw new RegexException(at, "classes nested deeper than " + MAX_DEPTH, true);
        }
        int open = at++;
        boolean negated = peek('^');
        if (negated) {
            at++;
        }
        CodeSet meet = null;
        CodeSet set = CodeSet.none();
        boolean first = true;
        for (; ; first = false) {
            if (at >= pattern.length()) {
                throw new RegexException(open, "unterminated character class", false);
            }
            if (peek(']') && !first) {
                at++;
                break;
            }
            if (pattern.startsWith("&&", at)) {
                at += 2;
                meet = meet == null ? set : meet.intersect(set);
                set = CodeSet.none();
            } else {
                set = set.union(item(ignoreCase));
            }
        }
        set = ignoreCase ? Properties.foldCase(set) : set;
        set = meet == null ? set : meet.intersect(set);
        depth--;
        return negated ? set.negate() : set;
    }

    private CodeSet item(boolean ignoreCase) throws RegexException {
        if (pattern.startsWith("[:", at) && pattern.indexOf(":]", at) > 0) {
            return posix();
        }
        if (peek('[')) {
            return bracketed(ignoreCase);
        }
        int start = at;
        CodeSet one = single();
        int low = literal(start, at);
        if (low >= 0 && peek('-') && at + 1 < pattern.length() && pattern.charAt(at + 1) != ']') {
            int dash = at++;
            int from = at;
            if (peek('[')) {
                at = dash;
                return one;
            }
            CodeSet other = single();
            int high = literal(from, at);
            if (high < 0) {
                return one.union(other).union(CodeSet.range('-', '-'));
            }
            if (high < low) {
                throw new RegexException(start, "range out of order", false);
            }
            return CodeSet.range(low, high);
        }
        return one;
    }

    private CodeSet posix() throws RegexException {
        int close = pattern.indexOf(":]", at);
        String name = pattern.substring(at + 2, close);
        boolean negated = name.startsWith("^");
        CodeSet set = Properties.named(negated ? name.substring(1) : name);
        if (set == null) {
            throw new RegexException(at, "class [:" + name + ":]", true);
        }
        at = close + 2;
        return negated ? set.negate() : set;
    }

    private CodeSet single() throws RegexException {
        if (at >= pattern.length()) {
            throw new RegexException(at, "unterminated character class", false);
        }
        if (peek('\\')) {
            return escaped();
        }
        int c = pattern.codePointAt(at);
        at += Character.charCount(c);
        return CodeSet.range(c, c);
    }

    /** The code point the item at from..to stands for, or -1 where it is a set. */
    private int literal(int from, int to) throws RegexException {
        if (pattern.charAt(from) != '\\') {
            return pattern.codePointAt(from);
        }
        int save = at;
        at = from;
        int c = codePoint();
        at = Math.max(save, to);
        return c;
    }

    private CodeSet escaped() throws RegexException {
        int start = at;
        int c = codePoint();
        if (c >= 0) {
            return CodeSet.range(c, c);
        }
        at = start + 2;
        char kind = pattern.charAt(start + 1);
        return switch (kind) {
            case 's' -> Properties.whiteSpace();
            case 'S' -> Properties.whiteSpace().negate();
            case 'd' -> Properties.digit();
            case 'D' -> Properties.digit().negate();
            case 'w' -> Properties.word();
            case 'W' -> Properties.word().negate();
            case 'p', 'P' -> property(start, kind == 'P');
            default -> throw new RegexException(start, "escape \\" + kind, true);
        };
    }

    private CodeSet property(int start, boolean negated) throws RegexException {
        int close = peek('{') ? pattern.indexOf('}', at) : -1;
        if (close < 0) {
            throw new RegexException(start, "a property needs a name in braces", false);
        }
        String name = pattern.substring(at + 1, close);
        boolean inverse = name.startsWith("^");
        CodeSet set = Properties.named(inverse ? name.substring(1) : name);
        if (set == null) {
            throw new RegexException(start, "property \\p{" + name + "}", true);
        }
        at = close + 1;
        return negated != inverse ? set.negate() : set;
    }

    /** The code point an escape stands for, consuming it; or -1 (nothing decided) where it is a set. */
    private int codePoint() throws RegexException {
        if (at + 1 >= pattern.length()) {
            throw new RegexException(at, "pattern ends in a backslash", false);
        }
        int start = at;
        int c = pattern.codePointAt(at + 1);
        at += 1 + Character.charCount(c);
        return switch (c) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'f' -> '\f';
            case 'v' -> 0x0B;
            case 'a' -> 0x07;
            case 'e' -> 0x1B;
            case '0' -> 0;
            case 'x' -> hex(start, peek('{') ? -1 : 2);
            case 'u' -> hex(start, 4);
            default -> {
                boolean plain = c >= 128 || !Character.isLetterOrDigit(c);
                yield plain ? c : -1;
            }
        };
    }

    private int hex(int start, int digits) throws RegexException {
        int from = digits < 0 ? at + 1 : at;
        int to = digits < 0 ? pattern.indexOf('}', at) : at + digits;
        if (to < 0 || to > pattern.length() || !pattern.substring(from, to).matches("[0-9A-Fa-f]{1,6}")) {
            throw new RegexException(start, "malformed character code", false);
        }
        int value = Integer.parseInt(pattern.substring(from, to), 16);
        if (value > Character.MAX_CODE_POINT) {
            throw new RegexException(start, "character code beyond Unicode", false);
        }
        at = digits < 0 ? to + 1 : to;
        return value;
    }

    private boolean peek(char c) {
        return at < pattern.length() && pattern.charAt(at) == c;
    }
}
