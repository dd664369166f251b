package poot.serve.fault;

import java.util.Objects;

/** A request is refused or failed; carries the facts. */
public final class ApiException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ApiFault fault;

    /** An exception carrying the given facts. */
    public ApiException(ApiFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** An exception carrying the given facts and what raised it. */
    public ApiException(ApiFault fault, Throwable cause) {
        super(Objects.requireNonNull(fault).message(), cause);
        this.fault = fault;
    }

    /** The facts. */
    public ApiFault fault() {
        return fault;
    }
}
