package poot.api.executor;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Device buffers of carried states. */
public interface States extends AutoCloseable {
    /** The states' names. */
    Set<String> names();

    /** Writes units {@code from} … of a state's first axis from host bytes. */
    void write(String state, long from, MemorySegment bytes) throws ExecutorException;

    /** Zeroes units {@code from} (inclusive) to {@code to} (exclusive) of a state's first axis. */
    void clear(String state, long from, long to) throws ExecutorException;

    /** Copies {@code count} units of a state's first axis from unit {@code from} to unit {@code to}; they may overlap. */
    void copy(String state, long from, long to, long count) throws ExecutorException;

    /** Copies a whole state to the host, for tests and snapshots. */
    MemorySegment read(String state) throws ExecutorException;

    /** Releases the buffers. */
    @Override
    void close();
}
