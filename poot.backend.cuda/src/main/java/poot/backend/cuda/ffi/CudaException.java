package poot.backend.cuda.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A call of the driver failed: which, with what code, and the driver's words for it. */
public final class CudaException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int code;

    CudaException(String call, int code, String words) {
        super(call + ": " + words);
        this.call = call;
        this.code = code;
    }

    /** Passes when {@code code} is success. */
    static void check(String call, int code) throws CudaException {
        if (code != Cuda.CUDA_SUCCESS()) {
            throw new CudaException(call, code, words(code));
        }
    }

    /** The entry point that failed. */
    public String call() {
        return call;
    }

    /** The driver's code, {@code CUresult} of {@code cuda.h}. */
    public int code() {
        return code;
    }

    /** Whether memory of the device, or pinned memory of the host, ran out. */
    public boolean isOutOfMemory() {
        return code == Cuda.CUDA_ERROR_OUT_OF_MEMORY();
    }

    /** {@code CUDA_ERROR_X (what it means)}, or the number where the driver does not know it. */
    static String words(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            if (Cuda.cuGetErrorName(code, out) != Cuda.CUDA_SUCCESS()) {
                return "error " + code;
            }
            String name = text(out);
            return Cuda.cuGetErrorString(code, out) == Cuda.CUDA_SUCCESS() ? name + " (" + text(out) + ")" : name;
        }
    }

    private static String text(MemorySegment out) {
        return out.get(Cuda.C_POINTER, 0).getString(0);
    }
}
