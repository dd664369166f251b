package poot.core.compile;

import java.util.Objects;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.Fault;

/** A graph cannot become a program; {@link #fault} says why. */
public final class CompileException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why a graph cannot be compiled. */
    public sealed interface CompileFault extends Fault {}

    /** The target has no way to run an equation. */
    public record Refused(String target, String equation, String scope, String capability) implements CompileFault {
        @Override
        public String message() {
            return "target " + target + " cannot run " + equation + place(scope) + ": " + capability;
        }
    }

    /** The graph reads a weight that was not given. */
    public record Unbound(Role role, String scope) implements CompileFault {
        @Override
        public String message() {
            return "the weight of role " + role + " is read" + place(scope) + " but the model's weight map binds none";
        }
    }

    /** A stored weight has another shape than the graph reads. */
    public record WrongWeight(Role role, String tensor, Shape traced, Shape stored) implements CompileFault {
        @Override
        public String message() {
            return "tensor \"" + tensor + "\" " + stored + " is bound to role " + role + ", which is traced as " + traced;
        }
    }

    /** A value, or the arena of all values, has more bytes than can be addressed. */
    public record TooLarge(String what, long elements) implements CompileFault {
        @Override
        public String message() {
            return what + " of " + elements + " elements cannot be addressed; reduce rows, tokens or capacity";
        }
    }

    /** A carried state ends as another state's buffer, which an update in place would overwrite. */
    public record CrossedStates(String state, String other) implements CompileFault {
        @Override
        public String message() {
            return "state " + state + " ends as the unchanged value of state " + other + "; copy it through an operation";
        }
    }

    /** A graph breaks a rule of its form: a fault of the tracer or of the pass named. */
    public record IllFormed(String after, String rule, String around) implements CompileFault {
        @Override
        public String message() {
            return "after " + after + ": " + rule + "\n" + around;
        }
    }

    private final transient CompileFault fault;

    /** An exception carrying the given facts. */
    public CompileException(CompileFault fault) {
        super(Objects.requireNonNull(fault).message());
        this.fault = fault;
    }

    /** The facts. */
    public CompileFault fault() {
        return fault;
    }

    private static String place(String scope) {
        return scope.isEmpty() ? "" : " in " + scope;
    }
}
