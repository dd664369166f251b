package poot.api.executor;

import java.util.Optional;
import poot.api.graph.Composite;
import poot.api.graph.Equation;
import poot.api.graph.Format;

/** What a backend runs, asked by the compiler; the whole of what the compiler knows of a backend. */
public interface Target {
    /** The backend's name, for messages and cache keys. */
    String name();

    /** Whether the backend has a kernel of its own for a composite; others are inlined to primitives. */
    boolean claims(Composite composite);

    /** Why the backend cannot run an equation, or empty if it can. */
    Optional<String> refusal(Equation equation);

    /** Whether the backend reads weights of this format as stored. */
    boolean reads(Format format);

    /**
     * Whether the backend multiplies rows with the matrices of a weight that indices name where they are stored: experts.
     * Else they are gathered first.
     */
    default boolean multipliesGathered() {
        return false;
    }
}
