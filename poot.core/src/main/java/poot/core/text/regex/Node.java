package poot.core.text.regex;

import java.util.List;

/** A parsed pattern. */
sealed interface Node {
    /** How a repeat chooses its length. */
    enum Mode { GREEDY, LAZY, POSSESSIVE }

    /** A zero-width test. */
    enum Edge { LINE_START, LINE_END, TEXT_START, TEXT_END, TEXT_END_OR_LAST_NEWLINE, WORD, NOT_WORD }

    /** One code point of a set. */
    record One(CodeSet set) implements Node { }

    /** The parts one after another; none at all matches the empty text. */
    record Chain(List<Node> parts) implements Node { }

    /** The first branch that leads to a match. */
    record Choice(List<Node> branches) implements Node { }

    /** The body {@code min} to {@code max} times; {@code max} -1 means without end. */
    record Repeat(Node body, int min, int max, Mode mode) implements Node { }

    /** The body matches here, or with {@code negative} does not; consumes nothing. */
    record Ahead(Node body, boolean negative) implements Node { }

    /** The code point before is in the set, or with {@code negative} is not; consumes nothing. */
    record Behind(CodeSet set, boolean negative) implements Node { }

    /** The body's first match, never reconsidered. */
    record Atomic(Node body) implements Node { }

    /** A zero-width test. */
    record At(Edge edge) implements Node { }

    /** What a match of a node can begin with: a superset of its first code points, and whether it may consume none. */
    record First(CodeSet set, boolean empty) { }

    /** What a match of this node can begin with. */
    static First first(Node node) {
        return switch (node) {
            case One one -> new First(one.set(), false);
            case Chain chain -> {
                CodeSet set = CodeSet.none();
                for (Node part : chain.parts()) {
                    First f = first(part);
                    set = set.union(f.set());
                    if (!f.empty()) {
                        yield new First(set, false);
                    }
                }
                yield new First(set, true);
            }
            case Choice choice -> {
                CodeSet set = CodeSet.none();
                boolean empty = false;
                for (Node branch : choice.branches()) {
                    First f = first(branch);
                    set = set.union(f.set());
                    empty |= f.empty();
                }
                yield new First(set, empty);
            }
            case Repeat r -> r.max() == 0 ? new First(CodeSet.none(), true)
                    : new First(first(r.body()).set(), r.min() == 0 || first(r.body()).empty());
            case Atomic atomic -> first(atomic.body());
            case Ahead a -> new First(CodeSet.none(), true);
            case Behind b -> new First(CodeSet.none(), true);
            case At at -> new First(CodeSet.none(), true);
        };
    }
}
