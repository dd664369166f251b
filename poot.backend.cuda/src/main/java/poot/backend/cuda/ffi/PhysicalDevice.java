package poot.backend.cuda.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A device the driver sees, opened or not.
 *
 * @param ordinal its number, from 0, in the driver's order
 * @param handle the driver's {@code CUdevice}
 */
public record PhysicalDevice(int ordinal, int handle) {
    private static final int NAME_BYTES = 256;
    private static final int MOST = 1024;

    /** The driver's version as CUDA counts it: 1000 * major + 10 * minor. */
    public static int driverVersion() throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
            CudaException.check("cuDriverGetVersion", Cuda.cuDriverGetVersion(out));
            return out.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** Every device, in the driver's order; none is an empty list. */
    public static List<PhysicalDevice> all() throws CudaException {
        int started = Cuda.cuInit(0);
        if (started == Cuda.CUDA_ERROR_NO_DEVICE()) {
            return List.of();
        }
        CudaException.check("cuInit", started);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
            CudaException.check("cuDeviceGetCount", Cuda.cuDeviceGetCount(out));
            int count = Math.clamp(out.get(ValueLayout.JAVA_INT, 0), 0, MOST);
            List<PhysicalDevice> devices = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                CudaException.check("cuDeviceGet", Cuda.cuDeviceGet(out, i));
                devices.add(new PhysicalDevice(i, out.get(ValueLayout.JAVA_INT, 0)));
            }
            return devices;
        }
    }

    /** What the vendor calls it. */
    public String name() throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(NAME_BYTES);
            CudaException.check("cuDeviceGetName", Cuda.cuDeviceGetName(out, NAME_BYTES - 1, handle));
            return out.getString(0);
        }
    }

    /** Bytes of its memory, whoever has them. */
    public long memoryBytes() throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            CudaException.check("cuDeviceTotalMem", Cuda.cuDeviceTotalMem_v2(out, handle));
            return out.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Whether the system lets anyone compute on it. */
    public boolean isProhibited() throws CudaException {
        return attribute(Cuda.CU_DEVICE_ATTRIBUTE_COMPUTE_MODE()) == Cuda.CU_COMPUTEMODE_PROHIBITED();
    }

    /** Its compute capability as compilers name it: 10 * major + minor. */
    public int capability() throws CudaException {
        return 10 * attribute(Cuda.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR())
                + attribute(Cuda.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR());
    }

    /** How many processors (SMs) it has. */
    public int processors() throws CudaException {
        return attribute(Cuda.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT());
    }

    /** Threads that run in step. */
    public int warp() throws CudaException {
        return attribute(Cuda.CU_DEVICE_ATTRIBUTE_WARP_SIZE());
    }

    /** The most threads of a block. */
    public int blockThreads() throws CudaException {
        return attribute(Cuda.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK());
    }

    /** The most shared memory a block may have when it asks for it, in bytes. */
    public int blockSharedBytes() throws CudaException {
        return attribute(Cuda.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN());
    }

    /** The most blocks of a grid along x. */
    public int gridX() throws CudaException {
        return attribute(Cuda.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X());
    }

    /** The most blocks of a grid along y, and along z. */
    public int gridYz() throws CudaException {
        return Math.min(attribute(Cuda.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y()), attribute(Cuda.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z()));
    }

    /** Whether it works in the host's memory. */
    public boolean isIntegrated() throws CudaException {
        return attribute(Cuda.CU_DEVICE_ATTRIBUTE_INTEGRATED()) != 0;
    }

    /** Whether host and device share one space of addresses, and the device can reach pinned host memory. */
    public boolean reachesHost() throws CudaException {
        return attribute(Cuda.CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING()) != 0
                && attribute(Cuda.CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY()) != 0;
    }

    private int attribute(int which) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
            CudaException.check("cuDeviceGetAttribute", Cuda.cuDeviceGetAttribute(out, which, handle));
            return out.get(ValueLayout.JAVA_INT, 0);
        }
    }
}
