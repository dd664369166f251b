package poot.core.text.reply;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The events of a reply as they come about; deltas of one kind in a row are joined. */
final class Events {
    private enum Kind { NONE, TEXT, REASONING, ARGUMENTS }

    private final StringBuilder delta = new StringBuilder();
    private List<ReplyEvent> ready = new ArrayList<>();
    private Kind kind = Kind.NONE;
    private int calls;

    /** Calls started. */
    int calls() {
        return calls;
    }

    void text(CharSequence text) {
        add(Kind.TEXT, text);
    }

    void reasoning(CharSequence text) {
        add(Kind.REASONING, text);
    }

    void start(Optional<String> id, String name) {
        close();
        ready.add(new ReplyEvent.CallStart(calls++, id, name));
    }

    /** More arguments of the call started last. */
    void arguments(CharSequence text) {
        add(Kind.ARGUMENTS, text);
    }

    /** The end of the call started last. */
    void end(boolean whole) {
        close();
        ready.add(new ReplyEvent.CallEnd(calls - 1, whole));
    }

    /** What came about since the last time. */
    List<ReplyEvent> take() {
        close();
        if (ready.isEmpty()) {
            return List.of();
        }
        List<ReplyEvent> out = List.copyOf(ready);
        ready = new ArrayList<>();
        return out;
    }

    private void add(Kind wanted, CharSequence text) {
        if (!text.isEmpty()) {
            if (kind != wanted) {
                close();
                kind = wanted;
            }
            delta.append(text);
        }
    }

    private void close() {
        switch (kind) {
            case NONE -> { }
            case TEXT -> ready.add(new ReplyEvent.Text(delta.toString()));
            case REASONING -> ready.add(new ReplyEvent.Reasoning(delta.toString()));
            case ARGUMENTS -> ready.add(new ReplyEvent.CallArguments(calls - 1, delta.toString()));
        }
        delta.setLength(0);
        kind = Kind.NONE;
    }
}
