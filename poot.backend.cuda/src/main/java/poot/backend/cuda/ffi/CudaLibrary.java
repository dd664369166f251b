package poot.backend.cuda.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The driver's library, loaded once: {@code libcuda.so.1}, {@code nvcuda.dll}, or what the system property
 * {@value #PROPERTY} names. Entry points are looked up by the names their present form has had since CUDA 11, so that older
 * drivers serve; where a newer one is better ({@link #has}), the older is the fallback.
 */
public final class CudaLibrary {
    /** A system property: the library's path or name, where it is not the system's own. */
    public static final String PROPERTY = "poot.cuda.library";

    /** Entry points without which nothing runs. */
    private static final List<String> NEEDED = List.of(
            "cuInit", "cuDriverGetVersion", "cuGetErrorName", "cuGetErrorString", "cuDeviceGetCount", "cuDeviceGet",
            "cuDeviceGetName", "cuDeviceTotalMem_v2", "cuDeviceGetAttribute", "cuDevicePrimaryCtxRetain",
            "cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent", "cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2",
            "cuMemHostAlloc", "cuMemFreeHost", "cuMemHostGetDevicePointer_v2", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
            "cuMemsetD8Async", "cuStreamCreate", "cuStreamDestroy_v2", "cuStreamSynchronize",
            "cuEventCreate", "cuEventDestroy_v2", "cuEventRecord", "cuEventSynchronize", "cuModuleLoadDataEx",
            "cuModuleUnload", "cuModuleGetFunction", "cuFuncGetAttribute", "cuFuncSetAttribute",
            "cuGraphCreate", "cuGraphDestroy", "cuGraphAddKernelNode", "cuGraphAddMemcpyNode", "cuGraphAddMemsetNode",
            "cuGraphAddEmptyNode", "cuGraphLaunch", "cuGraphExecDestroy", "cuGraphInstantiate_v2");

    private static final CudaLibrary FOUND = find();

    private final SymbolLookup symbols;
    private final String missing;

    private CudaLibrary(SymbolLookup symbols, String missing) {
        this.symbols = symbols;
        this.missing = missing;
    }

    /** Why the library cannot be used, if it cannot. */
    public static Optional<String> missing() {
        return Optional.ofNullable(FOUND.missing);
    }

    /** Whether the library has the entry point {@code name}. */
    public static boolean has(String name) {
        return FOUND.symbols.find(name).isPresent();
    }

    /** Every entry point that must be there. */
    static List<String> needed() {
        return NEEDED;
    }

    static SymbolLookup symbols() {
        return FOUND.symbols;
    }

    private static CudaLibrary find() {
        String set = System.getProperty(PROPERTY, "").isBlank() ? null : System.getProperty(PROPERTY);
        String name = set != null ? set : systemName();
        SymbolLookup symbols;
        try {
            symbols = load(name);
        } catch (IllegalArgumentException e) {
            return new CudaLibrary(nothing -> Optional.<MemorySegment>empty(), set != null
                    ? name + ", which -D" + PROPERTY + " names, cannot be loaded"
                    : name + " is not on this system: install NVIDIA's driver");
        } catch (IllegalCallerException e) {
            return new CudaLibrary(nothing -> Optional.<MemorySegment>empty(),
                    "native calls are not allowed: start with --enable-native-access=poot.backend.cuda");
        }
        List<String> absent = new ArrayList<>(NEEDED);
        absent.removeIf(s -> symbols.find(s).isPresent());
        if (absent.contains("cuInit")) {
            return new CudaLibrary(symbols, name + " has no cuInit: it is no CUDA driver");
        }
        return new CudaLibrary(symbols, absent.isEmpty() ? null
                : name + " has no " + String.join(", ", absent) + ": install a driver for CUDA 11 or later");
    }

    /** The library stays loaded as long as this class: threads of the driver may outlive every context. */
    @SuppressWarnings("restricted")
    private static SymbolLookup load(String name) {
        return SymbolLookup.libraryLookup(name, Arena.ofShared());
    }

    private static String systemName() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows") ? "nvcuda.dll" : "libcuda.so.1";
    }
}
