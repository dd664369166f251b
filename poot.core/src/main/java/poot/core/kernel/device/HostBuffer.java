package poot.core.kernel.device;

import java.lang.foreign.MemorySegment;

/** Memory that host and device both see: what the host writes before a recording runs is seen by it, and the reverse. */
public non-sealed interface HostBuffer extends DeviceMemory {
    /** The host's view, the same for the buffer's whole life. */
    MemorySegment memory();
}
