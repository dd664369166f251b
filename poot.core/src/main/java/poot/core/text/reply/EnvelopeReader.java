package poot.core.text.reply;

/** Calls as JSON objects, one, several, or a list of them, with an end marker or none. */
final class EnvelopeReader implements CallReader {
    private enum At { BEFORE, ITEM, OBJECT, BETWEEN, CLOSING, RUNAWAY }

    private final Frame frame;
    private final Dialect.Objects spelling;
    private final Closing closing;
    private At at = At.BEFORE;
    private boolean list;
    private boolean any;
    private Envelope envelope;
    private Runaway runaway;

    EnvelopeReader(Frame frame, Dialect.Objects spelling) {
        this.frame = frame;
        this.spelling = spelling;
        this.closing = spelling.close().isEmpty() ? null : new Closing(frame, spelling.close(), "");
    }

    @Override
    public Step take(char c) {
        return switch (at) {
            case BEFORE -> c == '[' ? kept(c, At.ITEM) : c == '{' ? object(c) : space(c);
            case ITEM -> c == '{' ? object(c) : c == ']' ? listEnd(c) : space(c);
            case OBJECT -> inObject(c);
            case BETWEEN -> between(c);
            case CLOSING -> closing.take(c);
            case RUNAWAY -> runaway.take(c);
        };
    }

    @Override
    public void end() {
        switch (at) {
            case BEFORE, ITEM -> {
                if (!any) {
                    frame.refuse();
                }
            }
            case OBJECT -> {
                if (!envelope.end()) {
                    frame.refuse();
                }
            }
            case BETWEEN -> { }
            case CLOSING -> closing.end();
            case RUNAWAY -> runaway.end();
        }
    }

    private Step kept(char c, At next) {
        frame.keep(c);
        list = next == At.ITEM;
        at = next;
        return Step.MORE;
    }

    private Step space(char c) {
        if (!MarkerScan.isSpace(c) || frame.isFull()) {
            return frame.refuse();
        }
        frame.keep(c);
        return Step.MORE;
    }

    private Step object(char c) {
        envelope = new Envelope(frame, spelling.keyed());
        at = At.OBJECT;
        return inObject(c);
    }

    private Step inObject(char c) {
        frame.keep(c);
        return switch (envelope.take(c)) {
            case MORE -> Step.MORE;
            case BAD -> frame.refuseLast();
            case RUNAWAY -> {
                runaway = new Runaway(frame.events, spelling.close());
                at = At.RUNAWAY;
                yield Step.MORE;
            }
            case DONE -> {
                frame.settle();
                any = true;
                at = At.BETWEEN;
                yield Step.MORE;
            }
        };
    }

    private Step between(char c) {
        if (MarkerScan.isSpace(c)) {
            return space(c);
        }
        if (list) {
            return c == ',' ? kept(c, At.ITEM) : c == ']' ? listEnd(c) : frame.refuse();
        }
        if (c == '{') {
            return object(c);
        }
        if (spelling.separators().indexOf(c) >= 0) {
            frame.keep(c);
            return frame.isFull() ? frame.refuseLast() : Step.MORE;
        }
        return close(c);
    }

    private Step listEnd(char c) {
        frame.keep(c);
        if (!any) {
            return frame.refuseLast();
        }
        frame.settle();
        if (closing == null) {
            return Step.CLOSED;
        }
        at = At.CLOSING;
        return Step.MORE;
    }

    private Step close(char c) {
        if (closing == null) {
            return frame.refuse();
        }
        at = At.CLOSING;
        return closing.take(c);
    }
}
