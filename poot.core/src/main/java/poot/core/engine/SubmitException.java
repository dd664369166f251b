package poot.core.engine;

import java.util.Objects;

/** A request is not accepted; {@link #fault} says why. */
public final class SubmitException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient SubmitFault fault;

    /** An exception carrying the given facts. */
    public SubmitException(SubmitFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** The facts. */
    public SubmitFault fault() {
        return fault;
    }
}
