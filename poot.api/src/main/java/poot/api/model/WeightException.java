package poot.api.model;

import poot.api.graph.Fault;
import poot.api.graph.Role;
import poot.api.graph.Shape;

/** A weight the model needs is not in the checkpoint as the model needs it. */
public final class WeightException extends LoadException {
    private static final long serialVersionUID = 1L;

    /** What is wrong with a weight. */
    public sealed interface WeightFault extends Fault {
        /** The tensor's name in the checkpoint. */
        String tensor();
    }

    /** A tensor is not in the checkpoint. */
    public record Missing(String tensor, Role role) implements WeightFault {
        @Override
        public String message() {
            return "tensor \"" + tensor + "\" is missing; it holds the weight of role " + role;
        }
    }

    /** A tensor has another shape than the configuration implies. */
    public record WrongShape(String tensor, Shape expected, Shape found) implements WeightFault {
        @Override
        public String message() {
            return "tensor \"" + tensor + "\" has shape " + found + "; the configuration implies " + expected;
        }
    }

    /** The checkpoint holds a tensor no role reads, which may change what the model computes. */
    public record Unread(String tensor) implements WeightFault {
        @Override
        public String message() {
            return "tensor \"" + tensor + "\" is read by no role of the model; it may change what the model computes";
        }
    }

    private final transient WeightFault fault;
    private final String place;

    /** An exception carrying the given facts. */
    public WeightException(WeightFault fault) {
        super(fault);
        this.fault = fault;
        this.place = "";
    }

    private WeightException(WeightException cause, String place) {
        super(cause.fault, cause);
        this.fault = cause.fault;
        this.place = place;
    }

    /** The same facts, with a message that begins with the file or directory they are of. */
    public WeightException in(String file) {
        return new WeightException(this, file + ": ");
    }

    @Override
    public String getMessage() {
        return place + super.getMessage();
    }

    @Override
    public WeightFault fault() {
        return fault;
    }
}
