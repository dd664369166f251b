package poot.core.engine;

import java.util.Objects;

/** An accepted request failed; {@link #fault} says why. */
public final class EngineException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient EngineFault fault;

    /** An exception carrying the given facts. */
    public EngineException(EngineFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** The facts. */
    public EngineFault fault() {
        return fault;
    }
}
