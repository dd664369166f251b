package poot.serve.http;

import java.util.Objects;
import poot.api.graph.Fault;
import poot.serve.config.MemoryAdvice;

/** A server cannot be started; the fault is that of loading, preparing or listening, and nothing stays open. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A file of the checkpoint cannot be read. */
    public record Unreadable(String why) implements Fault {
        @Override
        public String message() {
            return why;
        }
    }

    private final transient Fault fault;

    StartException(Fault fault, Throwable cause) {
        super(MemoryAdvice.message(Objects.requireNonNull(fault)), cause);
        this.fault = fault;
    }

    /** The facts. */
    public Fault fault() {
        return fault;
    }
}
