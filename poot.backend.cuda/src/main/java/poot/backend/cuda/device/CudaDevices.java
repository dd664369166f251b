package poot.backend.cuda.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import poot.api.executor.Availability;
import poot.api.executor.ExecutorException;
import poot.api.executor.MemoryLeft;
import poot.backend.cuda.ffi.CudaException;
import poot.backend.cuda.ffi.CudaLibrary;
import poot.backend.cuda.ffi.PhysicalDevice;
import poot.backend.cuda.ptx.PtxTarget;

/** The devices of this machine: which can be used, and why others cannot. */
public final class CudaDevices {
    /** The name of the backend, in messages. */
    static final String BACKEND = "cuda";
    /** A system property: the number of the device to use, where it is not the first that can be. */
    public static final String PROPERTY = "poot.cuda.device";
    /** The same as a variable of the environment; the property goes first. */
    public static final String VARIABLE = "POOT_CUDA_DEVICE";

    private CudaDevices() {}

    /** A device that can be used, what it is called, what kernels are written for, and bytes of its memory. */
    record Usable(PhysicalDevice device, String name, PtxTarget target, long memory) {}

    /** The device that would be used, or why none can be. Never throws. */
    public static Availability probe() {
        try {
            Usable u = choose();
            return new Availability.Available(u.name() + ", device " + u.device().ordinal() + ", kernels for sm_" + u.target().capability()
                    + ", " + MemoryLeft.readable(u.memory()), u.memory());
        } catch (ExecutorException e) {
            return new Availability.Unavailable(e.fault() instanceof ExecutorException.NotAvailable n ? n.reason() : e.getMessage());
        }
    }

    /**
     * Opens the device that {@value #PROPERTY} or {@value #VARIABLE} names, else the first that can be used.
     *
     * @throws ExecutorException NotAvailable with the reason, or what opening it failed with
     */
    public static CudaDevice open() throws ExecutorException {
        Usable usable = choose();
        return CudaDevice.open(usable.device(), usable.target());
    }

    private static Usable choose() throws ExecutorException {
        Optional<String> missing = CudaLibrary.missing();
        if (missing.isPresent()) {
            throw notAvailable(missing.get());
        }
        try {
            return among(PhysicalDevice.all(), PhysicalDevice.driverVersion());
        } catch (CudaException e) {
            throw new ExecutorException(new ExecutorException.NotAvailable(BACKEND, e.getMessage()), e);
        }
    }

    private static Usable among(List<PhysicalDevice> devices, int driver) throws CudaException, ExecutorException {
        if (devices.isEmpty()) {
            throw notAvailable("the driver sees no device");
        }
        String wanted = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        List<String> reasons = new ArrayList<>();
        for (PhysicalDevice d : devices) {
            if (wanted != null && !wanted.equals(Integer.toString(d.ordinal()))) {
                continue;
            }
            Optional<PtxTarget> target = PtxTarget.of(d.capability(), driver);
            String why = refuses(d, target, driver);
            if (why == null) {
                return new Usable(d, d.name(), target.orElseThrow(), d.memoryBytes());
            }
            reasons.add("device " + d.ordinal() + " (" + d.name() + "): " + why);
        }
        throw notAvailable(reasons.isEmpty()
                ? PROPERTY + "=" + wanted + " names no device: use 0 to " + (devices.size() - 1)
                : String.join("; ", reasons));
    }

    private static String refuses(PhysicalDevice d, Optional<PtxTarget> target, int driver) throws CudaException {
        int capability = d.capability();
        if (capability < PtxTarget.LEAST) {
            return "compute capability " + capability / 10 + "." + capability % 10 + ", and 7.5 is the least there are kernels for";
        }
        if (target.isEmpty()) {
            return "the driver is for CUDA " + driver / 1000 + "." + driver % 1000 / 10 + ": install a newer one";
        }
        if (d.isProhibited()) {
            return "its compute mode prohibits use";
        }
        return d.reachesHost() ? null : "it cannot reach pinned host memory";
    }

    private static ExecutorException notAvailable(String reason) {
        return new ExecutorException(new ExecutorException.NotAvailable(BACKEND, reason));
    }
}
