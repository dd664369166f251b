package poot.api.model;

import java.util.Objects;
import poot.api.graph.Fault;

/** A conversation cannot be rendered. */
public final class ChatException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public sealed interface ChatFault extends Fault {}

    /** The checkpoint has no chat template. */
    public record NoTemplate() implements ChatFault {
        @Override
        public String message() {
            return "the checkpoint has no chat template; give the prompt as text instead";
        }
    }

    /** The template refused the conversation, or is itself wrong; {@code message} is the template's own. */
    public record Refused(String message) implements ChatFault {}

    /** A part of the conversation is not what it should be; {@code path} names it, as in {@code messages[2].content}. */
    public record BadMessage(String path, String problem) implements ChatFault {
        @Override
        public String message() {
            return path + " " + problem;
        }
    }

    private final transient ChatFault fault;

    /** An exception carrying the given facts. */
    public ChatException(ChatFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** An exception carrying the given facts and what raised it. */
    public ChatException(ChatFault fault, Throwable cause) {
        super(Objects.requireNonNull(fault).message(), cause);
        this.fault = fault;
    }

    /** The facts. */
    public ChatFault fault() {
        return fault;
    }
}
