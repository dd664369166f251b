package poot.core.driver;

import java.util.Objects;
import poot.api.driver.PrepareFault;

/** A step could not be prepared; becomes a refusal before it leaves the package. */
final class PrepareException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient PrepareFault fault;

    PrepareException(PrepareFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    PrepareFault fault() {
        return fault;
    }
}
