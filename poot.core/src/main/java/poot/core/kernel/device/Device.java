package poot.core.kernel.device;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.executor.MemoryLeft;
import poot.core.kernel.ir.DeviceKernel;

/**
 * An open device: memory, kernels and recordings; all that a backend implements. It is used by one thread at a time.
 * Where it fails it throws {@link ExecutorException} with OutOfMemory, DeviceFailed or Unsupported. After DeviceFailed
 * only {@link #close} is of use. Offsets and sizes are in bytes; one that leaves its memory is refused.
 */
public interface Device extends AutoCloseable {
    /** What it has. */
    DeviceLimits limits();

    /** Its memory as it is now; empty where nobody knows, so that nothing is refused for it. */
    default Optional<MemoryLeft> memory() throws ExecutorException {
        return Optional.of(new MemoryLeft(limits().name(), limits().memoryBytes(), limits().memoryBytes()));
    }

    /**
     * Zeroed memory of the device at an address that is a multiple of 256.
     *
     * @param what whose memory it is, for messages
     * @param bytes above 0
     */
    DeviceBuffer allocate(String what, long bytes) throws ExecutorException;

    /** Zeroed memory that the host maps and kernels read and write, at a device address that is a multiple of 256. */
    HostBuffer allocateHost(String what, long bytes) throws ExecutorException;

    /** Writes all of {@code from}, of any size, in bounded pieces; done at return. */
    void upload(DeviceBuffer to, long offset, MemorySegment from) throws ExecutorException;

    /** Fills all of {@code to}, of any size, in bounded pieces. */
    void download(DeviceBuffer from, long offset, MemorySegment to) throws ExecutorException;

    /**
     * A kernel ready to run; the same object for equal kernels. Unsupported where the device lacks a capability, the
     * subgroup's size, threads or shared memory that the kernel needs.
     */
    CompiledKernel compile(DeviceKernel kernel) throws ExecutorException;

    /**
     * Commands ready to run again and again in order. The memory they name must stay open as long as the recording.
     * A launch is checked here: arguments against parameters, the grid against the limits.
     */
    Recording record(List<Command> commands) throws ExecutorException;

    /** Copies bytes from one memory to another; done at return. */
    default void copy(DeviceMemory from, long fromOffset, DeviceMemory to, long toOffset, long bytes) throws ExecutorException {
        try (Recording r = record(List.of(new Command.Copy(from, fromOffset, to, toOffset, bytes, true)))) {
            r.run();
        }
    }

    /** Zeroes bytes; done at return. */
    default void fill(DeviceMemory to, long offset, long bytes) throws ExecutorException {
        try (Recording r = record(List.of(new Command.Fill(to, offset, bytes, true)))) {
            r.run();
        }
    }

    /** Waits for what runs and releases everything that was made here; closing what was made after that does nothing. */
    @Override
    void close();
}
