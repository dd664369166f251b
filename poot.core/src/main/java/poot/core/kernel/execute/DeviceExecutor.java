package poot.core.kernel.execute;

import java.util.Map;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.Target;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.core.kernel.device.Device;

/** A device as an executor. Everything on it happens one at a time, whoever asks. */
public final class DeviceExecutor implements Executor {
    private final Device device;
    private final Target target;

    /** Over a device, which it closes. */
    public DeviceExecutor(Device device) {
        this.device = device;
        this.target = new DeviceTarget(device.limits());
    }

    @Override
    public Target target() {
        return target;
    }

    @Override
    public Executable load(Map<Role, Weight> weights) throws ExecutorException {
        synchronized (device) {
            return new DeviceExecutable(device, DeviceWeights.upload(device, weights));
        }
    }

    @Override
    public void close() {
        synchronized (device) {
            device.close();
        }
    }
}
