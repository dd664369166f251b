package poot.api.model;

import java.util.Objects;
import poot.api.graph.Fault;

/** A checkpoint cannot be loaded; {@link #fault} says why. */
public sealed class LoadException extends Exception permits CheckpointException, ConfigException, WeightException, RegistryException {
    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    LoadException(Fault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    LoadException(Fault fault, Throwable cause) {
        super(Objects.requireNonNull(fault).message(), cause);
        this.fault = fault;
    }

    /** The facts. */
    public Fault fault() {
        return fault;
    }
}
