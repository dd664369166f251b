package poot.api.executor;

import java.util.Map;
import java.util.Optional;
import poot.api.graph.TensorType;

/** One set of resident weights and the entries that run over them. */
public interface Executable extends AutoCloseable {
    /**
     * Prepares a program to run; everything a step needs is allocated here.
     *
     * @throws ExecutorException if the program reads a weight that was not loaded, or memory does not suffice
     */
    Entry addEntry(Program program) throws ExecutorException;

    /** Allocates zeroed buffers for carried states, by name; entries share them from step to step. */
    States allocate(Map<String, TensorType> states) throws ExecutorException;

    /** Bytes this executable holds beyond the mapped weights: entries, states and copied weights. */
    long residentBytes();

    /** Bytes of {@link #residentBytes} that are copies of weights. */
    default long weightBytes() {
        return 0;
    }

    /** The memory that entries and states are allocated in, as it is now; empty where nobody knows. */
    default Optional<MemoryLeft> memory() {
        return Optional.empty();
    }

    /** Releases entries, states and weights. */
    @Override
    void close();
}
