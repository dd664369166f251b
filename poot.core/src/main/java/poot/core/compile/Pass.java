package poot.core.compile;

import poot.api.graph.Graph;

/** A pure rewriting of a graph. Every pass keeps outputs, states and validations by name and value, bit for bit. */
public interface Pass {
    /** The pass's name, for messages. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** The rewritten graph. */
    Graph apply(Graph graph) throws CompileException;
}
