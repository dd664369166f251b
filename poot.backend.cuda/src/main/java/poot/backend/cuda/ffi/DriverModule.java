package poot.backend.cuda.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** PTX that the driver has assembled, with one function in it. */
public final class DriverModule implements AutoCloseable {
    private static final int LOG_BYTES = 16 * 1024;

    private final MemorySegment handle;
    private final MemorySegment function;

    private DriverModule(MemorySegment handle, MemorySegment function) {
        this.handle = handle;
        this.function = function;
    }

    /**
     * What a function takes of a processor.
     *
     * @param registers 32-bit registers a thread
     * @param localBytes bytes a thread spills to memory
     * @param sharedBytes bytes of shared memory a block, without what a launch adds
     */
    public record Usage(int registers, int localBytes, int sharedBytes) {}

    /**
     * Assembles {@code ptx} for the current context's device.
     *
     * @throws CudaException with the assembler's log, if it refuses the text, or if there is no function {@code name} in it
     */
    public static DriverModule load(String ptx, String name) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment log = arena.allocate(LOG_BYTES);
            MemorySegment options = arena.allocateFrom(ValueLayout.JAVA_INT,
                    Cuda.CU_JIT_ERROR_LOG_BUFFER(), Cuda.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES());
            MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_LONG, log.address(), LOG_BYTES - 1);
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            int code = Cuda.cuModuleLoadDataEx(out, arena.allocateFrom(ptx), 2, options, values);
            if (code != Cuda.CUDA_SUCCESS()) {
                throw new CudaException("cuModuleLoadDataEx", code, CudaException.words(code) + " for " + name + ": " + log.getString(0).strip());
            }
            MemorySegment module = out.get(ValueLayout.ADDRESS, 0);
            code = Cuda.cuModuleGetFunction(out, module, arena.allocateFrom(name));
            if (code != Cuda.CUDA_SUCCESS()) {
                Release.of("cuModuleUnload", Cuda.cuModuleUnload(module));
                throw new CudaException("cuModuleGetFunction", code, CudaException.words(code) + " for " + name);
            }
            return new DriverModule(module, out.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** Lets launches ask for {@code bytes} of shared memory. */
    public void allowShared(int bytes) throws CudaException {
        CudaException.check("cuFuncSetAttribute",
                Cuda.cuFuncSetAttribute(function, Cuda.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES(), bytes));
    }

    /** What the function takes. */
    public Usage usage() throws CudaException {
        return new Usage(attribute(Cuda.CU_FUNC_ATTRIBUTE_NUM_REGS()), attribute(Cuda.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES()),
                attribute(Cuda.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES()));
    }

    private int attribute(int which) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
            CudaException.check("cuFuncGetAttribute", Cuda.cuFuncGetAttribute(out, which, function));
            return out.get(ValueLayout.JAVA_INT, 0);
        }
    }

    MemorySegment function() {
        return function;
    }

    @Override
    public void close() {
        Release.of("cuModuleUnload", Cuda.cuModuleUnload(handle));
    }
}
