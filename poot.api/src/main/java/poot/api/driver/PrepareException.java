package poot.api.driver;

import java.util.Objects;

/** A driver cannot be prepared; {@link #fault} says why. */
public final class PrepareException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient PrepareFault fault;

    /** An exception carrying the given facts. */
    public PrepareException(PrepareFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** The facts. */
    public PrepareFault fault() {
        return fault;
    }
}
