package poot.api.model;

import java.util.SortedSet;
import poot.api.graph.Fault;

/** The registry holds no family, or more than one, for a key. */
public final class RegistryException extends LoadException {
    private static final long serialVersionUID = 1L;

    /** What is wrong with a key. */
    public sealed interface RegistryFault extends Fault {}

    /** No family is registered for the checkpoint's key. */
    public record Unregistered(FamilyKey key, SortedSet<String> known) implements RegistryFault {
        @Override
        public String message() {
            return "unsupported model: " + key + " has no family; known: " + String.join(", ", known);
        }
    }

    /** Two families claim one key. */
    public record Duplicate(FamilyKey key, String first, String second) implements RegistryFault {
        @Override
        public String message() {
            return key + " is claimed by both " + first + " and " + second;
        }
    }

    private final transient RegistryFault fault;

    /** An exception carrying the given facts. */
    public RegistryException(RegistryFault fault) {
        super(fault);
        this.fault = fault;
    }

    @Override
    public RegistryFault fault() {
        return fault;
    }
}
