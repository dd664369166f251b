package poot.core.text.template;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import poot.core.text.template.TemplateException.Limit;
import poot.core.text.template.TemplateException.LimitExceeded;

/** What the parsers of one template share: how deep they are, and what they have met on the way. */
final class ParseState {
    private final Tokens tokens;
    private final int maxDepth;
    private int depth;
    /** Variables read since the start; a macro looks here for the special names its body uses. */
    private Set<String> read = new HashSet<>();
    /** Filters and tests that do not exist, met where they fail at once and not only when reached. */
    private List<TemplateException> unknown = new ArrayList<>();

    ParseState(Tokens tokens, int maxDepth) {
        this.tokens = tokens;
        this.maxDepth = maxDepth;
    }

    void enter() throws TemplateException {
        enter(1);
    }

    void leave() {
        leave(1);
    }

    /** Deeper by as many levels as the caller's recursion is worth; every recursion of the parsers passes here. */
    void enter(int levels) throws TemplateException {
        depth += levels;
        if (depth > maxDepth) {
            throw new TemplateException(
                new LimitExceeded(tokens.template(), tokens.current().line(), Limit.DEPTH, maxDepth));
        }
    }

    void leave(int levels) {
        depth -= levels;
    }

    Set<String> swapRead(Set<String> names) {
        Set<String> before = read;
        read = names;
        return before;
    }

    List<TemplateException> swapUnknown(List<TemplateException> faults) {
        List<TemplateException> before = unknown;
        unknown = faults;
        return before;
    }

    /** A mark to {@link #soften} back to. */
    int mark() {
        return unknown.size();
    }

    /** What was unknown since the mark stands under a condition: it fails when reached. */
    void soften(int mark) {
        unknown.subList(mark, unknown.size()).clear();
    }

    /** A variable is read. */
    void reads(String name) {
        read.add(name);
    }

    /** A filter or test that does not exist is used. */
    void unknown(TemplateException fault) {
        unknown.add(fault);
    }

    int depth() {
        return depth;
    }

    /** Back to a depth, after a chain whose links each went one deeper. */
    void depth(int to) {
        depth = to;
    }
}
