package poot.core.kernel.device;

import poot.api.executor.ExecutorException;

/** Commands made ready by one device: a command buffer, a graph. */
public interface Recording extends AutoCloseable {
    /** Runs all of them and waits; then the host sees what they wrote to host buffers. */
    void run() throws ExecutorException;

    /** Gives it back; a second time does nothing. */
    @Override
    void close();
}
