package poot.api.driver;

import java.util.Objects;

/** A request is not admitted; {@link #fault} says why. */
public final class AdmitException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient AdmitFault fault;

    /** An exception carrying the given facts. */
    public AdmitException(AdmitFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** The facts. */
    public AdmitFault fault() {
        return fault;
    }
}
