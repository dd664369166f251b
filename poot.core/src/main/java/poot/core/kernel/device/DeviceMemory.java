package poot.core.kernel.device;

/** Memory that kernels reach. */
public sealed interface DeviceMemory extends AutoCloseable permits DeviceBuffer, HostBuffer {
    /** Whose memory it is, for messages. */
    String what();

    /** Where kernels see it; a multiple of 256. */
    long address();

    /** Its size. */
    long bytes();

    /** Gives it back; a second time does nothing. No recording that names it may run afterwards. */
    @Override
    void close();
}
