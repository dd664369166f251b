package poot.core.hub;

import java.util.Objects;

/** A model cannot be had by its name; {@link #fault} says why. */
public final class HubException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient HubFault fault;

    /** An exception carrying the given facts. */
    public HubException(HubFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** An exception carrying the given facts and what raised it. */
    public HubException(HubFault fault, Throwable cause) {
        super(Objects.requireNonNull(fault).message(), cause);
        this.fault = fault;
    }

    /** The facts. */
    public HubFault fault() {
        return fault;
    }
}
