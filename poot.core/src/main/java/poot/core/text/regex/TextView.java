package poot.core.text.regex;

/** The stretch of text a scan sees, by code points. */
record TextView(char[] text, int from, int to) {
    private static final Node.Edge[] EDGES = Node.Edge.values();

    /** The code point at a place before the end. */
    int codePoint(int at) {
        char c = text[at];
        return Character.isHighSurrogate(c) ? Character.codePointAt(text, at, to) : c;
    }

    /** The place after the code point at a place. */
    int after(int at) {
        return at + 1 < to && Character.isHighSurrogate(text[at]) && Character.isLowSurrogate(text[at + 1]) ? at + 2 : at + 1;
    }

    /** The place before the code point that ends at a place, not before {@code least}. */
    int before(int at, int least) {
        return at - 2 >= least && Character.isSurrogatePair(text[at - 2], text[at - 1]) ? at - 2 : at - 1;
    }

    /** True if there is a code point at a place and the set has it. */
    boolean next(int at, CodeSet set) {
        return at < to && set.contains(codePoint(at));
    }

    /** True if there is a code point before a place and the set has it. */
    boolean previous(int at, CodeSet set) {
        return at > from && set.contains(Character.codePointBefore(text, at, from));
    }

    /** True if the zero-width test of a {@link Node.Edge}'s number holds at a place. */
    boolean edge(int number, int at) {
        return switch (EDGES[number]) {
            case LINE_START -> at == from || text[at - 1] == '\n';
            case LINE_END -> at == to || text[at] == '\n';
            case TEXT_START -> at == from;
            case TEXT_END -> at == to;
            case TEXT_END_OR_LAST_NEWLINE -> at == to || at == to - 1 && text[at] == '\n';
            case WORD -> previous(at, Properties.word()) != next(at, Properties.word());
            case NOT_WORD -> previous(at, Properties.word()) == next(at, Properties.word());
        };
    }
}
