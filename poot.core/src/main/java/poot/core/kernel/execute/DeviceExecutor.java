package poot.core.kernel.execute;

import java.util.Map;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Unsupported;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.Residency;
import poot.api.executor.Target;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.core.kernel.device.Device;
import poot.core.kernel.plan.ProductPolicy;

/** A device as an executor. Everything on it happens one at a time, whoever asks. */
public final class DeviceExecutor implements Executor {
    private final Device device;
    private final ProductPolicy products;
    private final Target target;

    /**
     * Refuses what a device cannot meet; to be asked before it is opened.
     *
     * @param backend the provider's name
     * @throws ExecutorException Unsupported, naming the option
     */
    public static void require(String backend, ExecutorOptions options) throws ExecutorException {
        if (options.threads() > 0) {
            throw new ExecutorException(new Unsupported(backend, options.threads() + " worker threads",
                    "a device has threads of its own; leave threads out (0), or use the backend cpu"));
        }
        if (options.weights() == Residency.MAPPED) {
            throw new ExecutorException(new Unsupported(backend, "weights " + options.weights(),
                    "a device reads copies in its own memory; leave weights at " + Residency.AUTO + ", or use the backend cpu"));
        }
    }

    /** Over a device, which it closes; products as this process's settings say. */
    public DeviceExecutor(Device device) {
        this(device, ProductPolicy.fromEnvironment());
    }

    /** Over a device, which it closes. */
    public DeviceExecutor(Device device, ProductPolicy products) {
        this.device = device;
        this.products = products;
        this.target = new DeviceTarget(device.limits());
    }

    @Override
    public Target target() {
        return target;
    }

    @Override
    public Executable load(Map<Role, Weight> weights) throws ExecutorException {
        synchronized (device) {
            return new DeviceExecutable(device, DeviceWeights.upload(device, weights), products);
        }
    }

    @Override
    public void close() {
        synchronized (device) {
            device.close();
        }
    }
}
