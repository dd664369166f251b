package poot.backend.cuda.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A device's primary context, which every user of the device in this process shares. Calls go to a thread's current one. */
public final class PrimaryContext implements AutoCloseable {
    private final PhysicalDevice device;
    private final MemorySegment handle;

    private PrimaryContext(PhysicalDevice device, MemorySegment handle) {
        this.device = device;
        this.handle = handle;
    }

    /** Makes the context, or joins it. */
    public static PrimaryContext retain(PhysicalDevice device) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            CudaException.check("cuDevicePrimaryCtxRetain", Cuda.cuDevicePrimaryCtxRetain(out, device.handle()));
            return new PrimaryContext(device, out.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** Makes this the calling thread's context. */
    public void enter() throws CudaException {
        CudaException.check("cuCtxSetCurrent", Cuda.cuCtxSetCurrent(handle));
    }

    /** Makes this the calling thread's context if the device still takes calls, before things are released. */
    public void enterToRelease() {
        Release.of("cuCtxSetCurrent", Cuda.cuCtxSetCurrent(handle));
    }

    MemorySegment handle() {
        return handle;
    }

    /** Gives the context back; when its last user does, everything in it goes. */
    @Override
    public void close() {
        Release.of("cuDevicePrimaryCtxRelease", Cuda.cuDevicePrimaryCtxRelease_v2(device.handle()));
    }
}
