package poot.api.driver;

import java.util.Objects;

/** A step or a commit could not be done at all; {@link #fault} says why. */
public final class StepException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient StepFault fault;

    /** An exception carrying the given facts. */
    public StepException(StepFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** The facts. */
    public StepFault fault() {
        return fault;
    }
}
