package poot.core.kernel.interpret;

import java.util.Objects;

/** A kernel did something undefined. */
public final class KernelFaultException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient KernelFault fault;

    /** An exception carrying the given facts. */
    public KernelFaultException(KernelFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** The facts. */
    public KernelFault fault() {
        return fault;
    }
}
