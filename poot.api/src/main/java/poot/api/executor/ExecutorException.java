package poot.api.executor;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import poot.api.graph.Fault;

/** A backend cannot open, load or run. */
public final class ExecutorException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public sealed interface ExecutorFault extends Fault {}

    /** The backend cannot run on this machine. */
    public record NotAvailable(String backend, String reason) implements ExecutorFault {
        @Override
        public String message() {
            return "backend " + backend + " is not available: " + reason;
        }
    }

    /** The backend has no kernel for an equation. */
    public record Unsupported(String backend, String equation, String capability) implements ExecutorFault {
        @Override
        public String message() {
            return "backend " + backend + " cannot run " + equation + ": " + capability;
        }
    }

    /**
     * Memory does not suffice.
     *
     * @param what   what it is for
     * @param bytes  that were asked for; 0 where only a driver knows
     * @param memory what there is where they were asked for; empty where nobody knows
     */
    public record OutOfMemory(String what, long bytes, Optional<MemoryLeft> memory) implements ExecutorFault {
        /** What takes less, in general terms. */
        private static final String REMEDY = "less is taken by a shorter context, fewer sequences at once, keys and values cached as F16 or"
                + " Q8_0, and a checkpoint of fewer bits; or choose another device or backend";

        public OutOfMemory {
            Objects.requireNonNull(what);
            Objects.requireNonNull(memory);
        }

        /** Where nobody knows what there is. */
        public OutOfMemory(String what, long bytes) {
            this(what, bytes, Optional.empty());
        }

        @Override
        public String message() {
            String size = bytes <= 0 ? "" : ": " + MemoryLeft.readable(bytes) + (bytes >= 1024 ? " (" + bytes + " bytes)" : "");
            return "not enough memory for " + what + size + memory.map(m -> ", " + m).orElse("") + "; " + REMEDY;
        }
    }

    /** A program and what it is run with do not fit: a weight, slot or state is missing or of another type. */
    public record Mismatch(String what) implements ExecutorFault {
        @Override
        public String message() {
            return what;
        }
    }

    /** A validation of the graph did not hold for some rows. */
    public record Invalid(String what, List<Integer> rows) implements ExecutorFault {
        public Invalid {
            rows = List.copyOf(rows);
        }

        @Override
        public String message() {
            return what + " (rows " + rows + ")";
        }
    }

    /** The device failed. */
    public record DeviceFailed(String backend, String reason) implements ExecutorFault {
        @Override
        public String message() {
            return "backend " + backend + " failed: " + reason;
        }
    }

    private final transient ExecutorFault fault;

    /** An exception carrying the given facts. */
    public ExecutorException(ExecutorFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** An exception carrying the given facts and what raised it. */
    public ExecutorException(ExecutorFault fault, Throwable cause) {
        super(Objects.requireNonNull(fault).message(), cause);
        this.fault = fault;
    }

    /** The facts. */
    public ExecutorFault fault() {
        return fault;
    }
}
