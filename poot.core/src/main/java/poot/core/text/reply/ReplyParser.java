package poot.core.text.reply;

import java.util.List;

/**
 * Reads one reply as it streams. Put together, what it hands out does not depend on how the text is cut into pieces.
 * Memory is bounded whatever the text; time is linear in it. Not safe for use by several threads.
 */
public final class ReplyParser {
    private final Events events;
    private final Machine machine;

    ReplyParser(Events events, Machine machine) {
        this.events = events;
        this.machine = machine;
    }

    /** Takes the next piece of the reply; what is certain by now, often nothing. */
    public List<ReplyEvent> feed(String piece) {
        for (int i = 0; i < piece.length(); i++) {
            machine.take(piece.charAt(i));
        }
        return events.take();
    }

    /** Ends the reply; what was still held back. Nothing may be fed afterwards. */
    public List<ReplyEvent> finish() {
        machine.end();
        return events.take();
    }

    /** Calls started so far. */
    public int calls() {
        return events.calls();
    }
}
