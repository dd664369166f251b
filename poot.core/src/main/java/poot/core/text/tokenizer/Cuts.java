package poot.core.text.tokenizer;

/**
 * Turns alternating stretches of text and delimiters into words, by what is to become of the delimiters. Empty
 * stretches make no words.
 */
final class Cuts {
    private final char[] text;
    private final int begin;
    private final boolean first;
    private final PreTokenizer.Behavior behavior;
    private final WordSink out;
    private int start = -1;          // the word being put together, or -1
    private int end;
    private boolean delimiter;       // whether what came last was a delimiter

    Cuts(char[] text, int begin, boolean first, PreTokenizer.Behavior behavior, WordSink out) {
        this.text = text;
        this.begin = begin;
        this.first = first;
        this.behavior = behavior;
        this.out = out;
    }

    /** Takes the next stretch, text[from..to); a delimiter may be empty and still keeps its neighbours apart. */
    void stretch(int from, int to, boolean isDelimiter) {
        if (from == to && !isDelimiter) {
            return;
        }
        switch (behavior) {
            case ISOLATED -> word(from, to);
            case REMOVED -> {
                if (!isDelimiter) {
                    word(from, to);
                }
            }
            case CONTIGUOUS -> join(from, to, start >= 0 && delimiter == isDelimiter);
            case MERGED_WITH_PREVIOUS -> join(from, to, start >= 0 && isDelimiter && !delimiter);
            case MERGED_WITH_NEXT -> join(from, to, start >= 0 && !isDelimiter && delimiter);
        }
        delimiter = isDelimiter;
    }

    /** Pushes the word still being put together. */
    void finish() {
        if (start >= 0) {
            word(start, end);
            start = -1;
        }
    }

    private void join(int from, int to, boolean joins) {
        if (!joins) {
            finish();
            start = from;
        }
        end = to;
    }

    private void word(int from, int to) {
        if (from < to) {
            out.accept(text, from, to, first && from == begin);
        }
    }
}
