package poot.api.graph;

import java.util.Objects;

/** A step cannot be traced; {@link #fault} says why. Nothing of a refused trace is published. */
public final class TraceException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why a step cannot be traced. */
    public sealed interface TraceFault extends Fault {}

    /** A limit of the caller would be passed. */
    public record Budget(TraceLimits.Resource resource, long limit, long attempted) implements TraceFault {
        @Override
        public String message() {
            return "the trace needs " + attempted + " " + resource + ", over the limit of " + limit;
        }
    }

    /** The model has no such program. */
    public record NoProgram(String program) implements TraceFault {
        @Override
        public String message() {
            return "the model has no program \"" + program + "\"";
        }
    }

    /** The family cannot trace this step shape. */
    public record UnsupportedStep(String what, String reason) implements TraceFault {
        @Override
        public String message() {
            return what + " cannot be traced: " + reason;
        }
    }

    /** An operation was given operands it has no meaning for: a fault of the family's tracer. */
    public record IllTyped(String op, String operands, String scope, String reason) implements TraceFault {
        @Override
        public String message() {
            return op + "(" + operands + ") in " + (scope.isEmpty() ? "the model" : scope) + ": " + reason;
        }
    }

    /** The traced graph does not carry what the schema declares. */
    public record SchemaMismatch(String what) implements TraceFault {
        @Override
        public String message() {
            return "the traced graph differs from the model's schema: " + what;
        }
    }

    private final transient TraceFault fault;

    /** An exception carrying the given facts. */
    public TraceException(TraceFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** An exception carrying the given facts and what raised it. */
    public TraceException(TraceFault fault, Throwable cause) {
        super(Objects.requireNonNull(fault).message(), cause);
        this.fault = fault;
    }

    /** The facts. */
    public TraceFault fault() {
        return fault;
    }
}
