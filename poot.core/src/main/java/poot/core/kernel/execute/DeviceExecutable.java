package poot.core.kernel.execute;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.MemoryLeft;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.TensorType;
import poot.core.kernel.device.Device;
import poot.core.kernel.plan.Kernels;
import poot.core.kernel.plan.Plan;
import poot.core.kernel.plan.Planning;
import poot.core.kernel.plan.ProductPolicy;

/** Weights on a device, and the entries and states that belong to them. */
final class DeviceExecutable implements Executable {
    private final Device device;
    private final DeviceWeights weights;
    private final Kernels kernels;
    private final Set<DeviceEntry> entries = new LinkedHashSet<>();
    private final Set<DeviceStates> states = new LinkedHashSet<>();
    private boolean closed;

    DeviceExecutable(Device device, DeviceWeights weights, ProductPolicy products) {
        this.device = device;
        this.weights = weights;
        this.kernels = new Kernels(device.limits(), products);
    }

    @Override
    public Entry addEntry(Program program) throws ExecutorException {
        synchronized (device) {
            requireOpen();
            Plan plan = Planning.of(program, weights.byRole(), kernels);
            DeviceEntry entry = DeviceEntry.prepare(this, device, program, plan, kernels);
            entries.add(entry);
            return entry;
        }
    }

    @Override
    public States allocate(Map<String, TensorType> types) throws ExecutorException {
        synchronized (device) {
            requireOpen();
            DeviceStates out = DeviceStates.allocate(this, device, types);
            states.add(out);
            return out;
        }
    }

    private void requireOpen() throws ExecutorException {
        if (closed) {
            throw new ExecutorException(new Mismatch("the executable is closed; load the weights again"));
        }
    }

    @Override
    public long residentBytes() {
        synchronized (device) {
            return weights.bytes() + entries.stream().mapToLong(DeviceEntry::residentBytes).sum()
                    + states.stream().mapToLong(DeviceStates::residentBytes).sum();
        }
    }

    @Override
    public long weightBytes() {
        synchronized (device) {
            return weights.bytes();
        }
    }

    /** Empty also where the device no longer answers: what is asked of it next says why. */
    @Override
    public Optional<MemoryLeft> memory() {
        synchronized (device) {
            try {
                return device.memory();
            } catch (ExecutorException _) {
                return Optional.empty();
            }
        }
    }

    void forget(DeviceEntry entry) {
        entries.remove(entry);
    }

    void forget(DeviceStates gone) {
        states.remove(gone);
        entries.forEach(e -> e.forget(gone));
    }

    @Override
    public void close() {
        synchronized (device) {
            closed = true;
            List.copyOf(entries).forEach(DeviceEntry::close);
            List.copyOf(states).forEach(DeviceStates::close);
            weights.close();
        }
    }
}
