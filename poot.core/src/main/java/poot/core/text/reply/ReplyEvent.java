package poot.core.text.reply;

import java.util.Objects;
import java.util.Optional;

/** One step of what a reply says. Deltas of one kind, put together in order, are the whole. */
public sealed interface ReplyEvent {
    /** More of the text for the user. */
    record Text(String delta) implements ReplyEvent {
        public Text {
            Objects.requireNonNull(delta);
        }
    }

    /** More of the reasoning that comes before the answer. */
    record Reasoning(String delta) implements ReplyEvent {
        public Reasoning {
            Objects.requireNonNull(delta);
        }
    }

    /**
     * A call begins.
     *
     * @param index which of the reply's calls, from 0
     * @param id    what the model calls it, where it says so before the arguments
     * @param name  the tool, one of those offered
     */
    record CallStart(int index, Optional<String> id, String name) implements ReplyEvent {
        public CallStart {
            Objects.requireNonNull(id);
            Objects.requireNonNull(name);
        }
    }

    /** More of a call's arguments: JSON text as the model wrote it, or, from formats without JSON, as it follows. */
    record CallArguments(int index, String delta) implements ReplyEvent {
        public CallArguments {
            Objects.requireNonNull(delta);
        }
    }

    /**
     * A call ends.
     *
     * @param whole whether its arguments closed every bracket they opened; false where the reply was cut off
     */
    record CallEnd(int index, boolean whole) implements ReplyEvent {}
}
