package poot.core.engine;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** A part of a reply, in order: any number of {@link Text}, then exactly one {@link Done} or {@link Failed}. */
public sealed interface Piece {
    /**
     * More of the text.
     *
     * @param text   what follows the text before; may be empty where only tokens are told
     * @param tokens the tokens that are complete with it, in order
     */
    record Text(String text, List<TokenText> tokens) implements Piece {
        public Text {
            Objects.requireNonNull(text);
            tokens = List.copyOf(tokens);
        }
    }

    /**
     * The reply is whole.
     *
     * @param end    why it ended
     * @param usage  what it took; tokens after a stop string are not counted
     * @param stop   the stop string that ended it
     * @param stopId the stop id that ended it
     */
    record Done(End end, Usage usage, Optional<String> stop, OptionalInt stopId) implements Piece {
        public Done {
            Objects.requireNonNull(end);
            Objects.requireNonNull(usage);
            Objects.requireNonNull(stop);
            Objects.requireNonNull(stopId);
        }
    }

    /** The reply broke off; the pieces before stand. */
    record Failed(EngineFault fault, Usage usage) implements Piece {
        public Failed {
            Objects.requireNonNull(fault);
            Objects.requireNonNull(usage);
        }
    }

    /** Whether no piece follows. */
    default boolean last() {
        return !(this instanceof Text);
    }
}
