package poot.core.kernel.device;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import poot.core.kernel.ir.Capability;
import poot.core.kernel.ir.DeviceKernel;

/**
 * What a device has.
 *
 * @param backend which kind: the provider's name
 * @param name the device, as its driver calls it
 * @param minSubgroup threads of the smallest subgroup a kernel may ask for
 * @param maxSubgroup threads of the largest; between them every power of two
 * @param subgroup threads of the subgroup that generators use by default
 * @param maxWorkgroup threads of the largest workgroup
 * @param maxGridX workgroups along x, at most
 * @param maxGridYz workgroups along y and along z, at most
 * @param sharedBytes shared memory of one workgroup
 * @param memoryBytes memory of the device that one may use
 * @param maxAllocationBytes the largest single allocation
 * @param computeUnits what runs workgroups at the same time: multiprocessors, compute units, cores
 * @param unifiedMemory whether host and device share one memory
 */
public record DeviceLimits(String backend, String name, int minSubgroup, int maxSubgroup, int subgroup, int maxWorkgroup,
        int maxGridX, int maxGridYz, int sharedBytes, long memoryBytes, long maxAllocationBytes, int computeUnits,
        boolean unifiedMemory, Set<Capability> capabilities) {
    public DeviceLimits {
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(name, "name");
        capabilities = Set.copyOf(capabilities);
    }

    /** Whether the device has something. */
    public boolean has(Capability c) {
        return capabilities.contains(c);
    }

    /** What of a kernel is beyond the device, in words; empty where it fits. */
    public Optional<String> refuses(DeviceKernel k) {
        String why = null;
        if (!capabilities.containsAll(k.needs())) {
            why = "it needs " + k.needs() + ", the device has " + capabilities;
        } else if (k.subgroup() < minSubgroup || k.subgroup() > maxSubgroup) {
            why = "a subgroup of " + k.subgroup() + ", the device has " + minSubgroup + " to " + maxSubgroup;
        } else if (k.workgroup() > maxWorkgroup) {
            why = "a workgroup of " + k.workgroup() + ", the device has " + maxWorkgroup;
        } else if (k.sharedBytes() > sharedBytes) {
            why = k.sharedBytes() + " bytes of shared memory, the device has " + sharedBytes;
        }
        return Optional.ofNullable(why);
    }
}
