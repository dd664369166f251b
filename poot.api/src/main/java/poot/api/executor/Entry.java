package poot.api.executor;

import java.lang.foreign.MemorySegment;

/**
 * One program ready to run. The caller fills the input buffers, runs, then reads the output buffers; a run allocates
 * nothing. Not safe for use by several threads.
 */
public interface Entry extends AutoCloseable {
    /** The program this entry runs. */
    Program program();

    /** The host-writable buffer of a slot, dense row-major little-endian. Its contents survive a run. */
    MemorySegment input(String slot);

    /** The host-readable buffer of an output, valid after a run until the next. */
    MemorySegment output(String name);

    /**
     * Runs the program once over the given states, updating them.
     *
     * @throws ExecutorException if a validation of the graph does not hold, or the device fails; the states of the
     *     step's rows are then undefined
     */
    void run(States states) throws ExecutorException;

    /** Releases the entry. */
    @Override
    void close();
}
