package poot.core.text.reply;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How a model spells calls in running text.
 *
 * @param marks   what begins a call, and how it goes on
 * @param silent  marks that only wrap calls
 * @param special marks, within calls too, that may be special tokens and must be seen
 */
record Dialect(List<Mark> marks, List<String> silent, Set<String> special) {
    /**
     * The beginning of a call.
     *
     * @param text      the mark; empty where the call's own first character is all there is, then {@code opening}
     * @param opening   whether {@code text} is part of what the spelling reads
     * @param spellings those that may follow; their first characters differ
     */
    record Mark(String text, boolean opening, List<Spelling> spellings) {}

    /** What follows a mark. */
    sealed interface Spelling {
        /** Whether it can begin so. */
        boolean begins(char c);

        /** A reader of one call. */
        CallReader reader(Frame frame);

        /** The end marker; empty where there is none. */
        String close();
    }

    /**
     * JSON objects with name and arguments, or a list of them.
     *
     * @param keyed      whether an object is {@code {NAME: {…}}}
     * @param separators what may stand between objects that are in no list
     */
    record Objects(String close, boolean keyed, String separators) implements Spelling {
        @Override
        public boolean begins(char c) {
            return c == '{' || c == '[';
        }

        @Override
        public CallReader reader(Frame frame) {
            return new EnvelopeReader(frame, this);
        }
    }

    /**
     * A name, something between, and arguments as a JSON object.
     *
     * @param leads    what may come before the name, white space left out
     * @param tails    what may stand between
     * @param ignored  characters that may come between arguments and end marker
     * @param headIsId whether all that stands before a tail's end is the call's id
     */
    record Named(List<String> leads, List<Tail> tails, String close, String ignored, boolean headIsId) implements Spelling {
        @Override
        public boolean begins(char c) {
            return Character.isLetterOrDigit(c) || c == '_' || c == '-';
        }

        @Override
        public CallReader reader(Frame frame) {
            return new NamedReader(frame, this);
        }
    }

    /**
     * Parameters between marks.
     *
     * @param open       before the name
     * @param nameEnd    after the name; empty where a parameter or the end is
     * @param stringMark what follows a key before {@code true} or {@code false}, which tell whether the value is a string
     * @param lines      whether values stand on lines of their own
     * @param callEnd    after the last parameter
     * @param close      the end marker
     */
    record Tagged(String open, String nameEnd, String keyOpen, String keyEnd, String stringMark, String valueOpen,
            String valueEnd, boolean lines, String callEnd, String close) implements Spelling {
        List<String> nameEnds() {
            return nameEnd.isEmpty() ? List.of(keyOpen, callEnd) : List.of(nameEnd);
        }

        @Override
        public boolean begins(char c) {
            return open.isEmpty() ? Character.isLetterOrDigit(c) || c == '_' || c == '-' : open.charAt(0) == c;
        }

        @Override
        public CallReader reader(Frame frame) {
            return new TaggedReader(frame, this);
        }
    }

    /** All texts a template would have to write for this dialect to be the one. */
    List<String> signs() {
        List<String> out = new ArrayList<>();
        marks.forEach(m -> {
            if (!m.opening()) {
                out.add(m.text());
            }
        });
        return out;
    }

    static Mark mark(String text, Spelling... spellings) {
        return new Mark(text, false, List.of(spellings));
    }

    static Dialect of(List<Mark> marks, List<String> silent, String... special) {
        Set<String> all = new LinkedHashSet<>();
        marks.stream().filter(m -> !m.opening()).forEach(m -> {
            all.add(m.text());
            m.spellings().stream().map(Spelling::close).filter(c -> !c.isEmpty()).forEach(all::add);
        });
        all.addAll(silent);
        all.addAll(List.of(special));
        return new Dialect(marks, silent, all);
    }
}
