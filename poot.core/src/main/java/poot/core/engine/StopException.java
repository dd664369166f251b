package poot.core.engine;

import java.util.Objects;

/** Stop strings are refused; {@link #fault} says why. */
public final class StopException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient StopFault fault;

    /** An exception carrying the given facts. */
    public StopException(StopFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** The facts. */
    public StopFault fault() {
        return fault;
    }
}
