package poot.core.text.tokenizer;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import poot.core.text.regex.PatternScan;
import poot.core.text.regex.TextPattern;

/** Cuts normalized text into words, pushing each to the next stage; the text may be rewritten on the way. */
sealed interface PreTokenizer {
    /** What becomes of a delimiter. */
    enum Behavior { REMOVED, ISOLATED, MERGED_WITH_PREVIOUS, MERGED_WITH_NEXT, CONTIGUOUS }

    /** When a mark is put before a text. */
    enum Prepend { ALWAYS, FIRST, NEVER }

    /** Cuts text[from..to), pushing the words. */
    void split(char[] text, int from, int to, boolean first, WordSink out);

    /** The text as it is. */
    record Whole() implements PreTokenizer {
        @Override
        public void split(char[] text, int from, int to, boolean first, WordSink out) {
            out.accept(text, from, to, first);
        }
    }

    /** Each stage cuts what the one before leaves. */
    record Stages(List<PreTokenizer> stages) implements PreTokenizer {
        @Override
        public void split(char[] text, int from, int to, boolean first, WordSink out) {
            stage(0, text, from, to, first, out);
        }

        private void stage(int index, char[] text, int from, int to, boolean first, WordSink out) {
            if (index == stages.size()) {
                out.accept(text, from, to, first);
            } else {
                stages.get(index).split(text, from, to, first,
                        (t, f, e, atStart) -> stage(index + 1, t, f, e, atStart, out));
            }
        }
    }

    /** Cuts at the matches of a pattern, or with {@code invert} at what lies between them. */
    record Split(TextPattern pattern, Behavior behavior, boolean invert) implements PreTokenizer {
        @Override
        public void split(char[] text, int from, int to, boolean first, WordSink out) {
            Cuts cuts = new Cuts(text, from, first, behavior, out);
            PatternScan scan = pattern.scan(text, from, to);
            int at = from;
            while (scan.find()) {
                cuts.stretch(at, scan.start(), invert);
                cuts.stretch(scan.start(), scan.end(), !invert);
                at = scan.end();
            }
            cuts.stretch(at, to, invert);
            cuts.finish();
        }
    }

    /** Cuts at code points of a kind, each a delimiter of its own. */
    record SplitAt(IntPredicate kind, Behavior behavior) implements PreTokenizer {
        @Override
        public void split(char[] text, int from, int to, boolean first, WordSink out) {
            Cuts cuts = new Cuts(text, from, first, behavior, out);
            int start = from;
            for (int at = from; at < to; ) {
                int c = Character.codePointAt(text, at, to);
                int end = at + Character.charCount(c);
                if (kind.test(c)) {
                    cuts.stretch(start, at, false);
                    cuts.stretch(at, end, true);
                    start = end;
                }
                at = end;
            }
            cuts.stretch(start, to, false);
            cuts.finish();
        }
    }

    /** Puts a space before a text that has none. */
    record PrefixSpace() implements PreTokenizer {
        @Override
        public void split(char[] text, int from, int to, boolean first, WordSink out) {
            if (text[from] == ' ') {
                out.accept(text, from, to, first);
            } else {
                char[] longer = new char[to - from + 1];
                longer[0] = ' ';
                System.arraycopy(text, from, longer, 1, to - from);
                out.accept(longer, 0, longer.length, first);
            }
        }
    }

    /** Spells bytes in {@link ByteAlphabet}; left out where the model does that itself. */
    record Spell() implements PreTokenizer {
        @Override
        public void split(char[] text, int from, int to, boolean first, WordSink out) {
            char[] spelled = ByteAlphabet.spell(text, from, to);
            out.accept(spelled, 0, spelled.length, first);
        }
    }

    /** Spaces become a mark, one is put in front, and the text is cut before every mark. */
    record Metaspace(String mark, Prepend prepend, boolean cut) implements PreTokenizer {
        @Override
        public void split(char[] text, int from, int to, boolean first, WordSink out) {
            String s = new String(text, from, to - from).replace(" ", mark);
            if ((prepend == Prepend.ALWAYS || prepend == Prepend.FIRST && first) && !s.startsWith(mark)) {
                s = mark + s;
            }
            char[] marked = s.toCharArray();
            if (!cut) {
                out.accept(marked, 0, marked.length, first);
                return;
            }
            int delimiter = mark.codePointAt(0);
            new SplitAt(c -> c == delimiter, Behavior.MERGED_WITH_NEXT).split(marked, 0, marked.length, first, out);
        }
    }

    /**
     * Cuts before a mark wherever no piece joins it to the character before: no merge can cross such a seam, so the
     * ids are those of the whole text, while the words are short enough to be remembered.
     *
     * @param mark   the mark of spaces
     * @param joined characters some piece has right before a mark
     */
    record Seams(char mark, BitSet joined) implements PreTokenizer {
        @Override
        public void split(char[] text, int from, int to, boolean first, WordSink out) {
            int start = from;
            for (int at = from + 1; at < to; at++) {
                if (text[at] == mark && !joined.get(text[at - 1])) {
                    out.accept(text, start, at, first && start == from);
                    start = at;
                }
            }
            out.accept(text, start, to, first && start == from);
        }

        /** The seams a vocabulary leaves, or none at all where pieces of bytes or unknown text could cross them. */
        static Optional<PreTokenizer> of(Vocabulary vocabulary) {
            char mark = '\u2581';
            BitSet joined = new BitSet();
            for (int id = 0; id < vocabulary.limit(); id++) {
                String piece = vocabulary.piece(id);
                for (int i = piece == null ? -1 : piece.indexOf(mark, 1); i > 0; i = piece.indexOf(mark, i + 1)) {
                    joined.set(piece.charAt(i - 1));
                }
            }
            boolean marked = vocabulary.id(Character.toString(mark)) >= 0;
            return marked && !joined.get('>') ? Optional.of(new Seams(mark, joined)) : Optional.empty();
        }
    }
}
