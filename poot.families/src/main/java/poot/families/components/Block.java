package poot.families.components;

import poot.api.graph.TraceException;
import poot.api.graph.Value;

/** A part of a model that keeps the shape of the hidden state: a mixer, a feed-forward, a whole layer. */
@FunctionalInterface
public interface Block {
    /** Traces it at a scope: [R, T, E] to [R, T, E]. */
    Value trace(Site at, Value x) throws TraceException;
}
