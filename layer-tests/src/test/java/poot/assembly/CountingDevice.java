package poot.assembly;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.api.executor.MemoryLeft;
import poot.core.kernel.device.Command;
import poot.core.kernel.device.CompiledKernel;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceLimits;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.device.Recording;
import poot.core.kernel.ir.DeviceKernel;

/** Another device, of which it is counted what the last run asked and how long it took. */
final class CountingDevice implements Device {
    private final Device of;
    private StepCost last = new StepCost(0, 0, 0, 0);
    private long nanos;

    CountingDevice(Device of) {
        this.of = of;
    }

    /** What the last run asked. */
    StepCost last() {
        return last;
    }

    /** How long it took. */
    long nanos() {
        return nanos;
    }

    @Override
    public DeviceLimits limits() {
        return of.limits();
    }

    /** Not said: costs of a large model are counted on a small device too. */
    @Override
    public Optional<MemoryLeft> memory() {
        return Optional.empty();
    }

    @Override
    public DeviceBuffer allocate(String what, long bytes) throws ExecutorException {
        return of.allocate(what, bytes);
    }

    @Override
    public HostBuffer allocateHost(String what, long bytes) throws ExecutorException {
        return of.allocateHost(what, bytes);
    }

    @Override
    public void upload(DeviceBuffer to, long offset, MemorySegment from) throws ExecutorException {
        of.upload(to, offset, from);
    }

    @Override
    public void download(DeviceBuffer from, long offset, MemorySegment to) throws ExecutorException {
        of.download(from, offset, to);
    }

    @Override
    public CompiledKernel compile(DeviceKernel kernel) throws ExecutorException {
        return of.compile(kernel);
    }

    @Override
    public Recording record(List<Command> commands) throws ExecutorException {
        Recording made = of.record(commands);
        StepCost cost = StepCost.of(commands);
        return new Recording() {
            @Override
            public void run() throws ExecutorException {
                long start = System.nanoTime();
                made.run();
                nanos = System.nanoTime() - start;
                last = cost;
            }

            @Override
            public void close() {
                made.close();
            }
        };
    }

    @Override
    public void close() {
        of.close();
    }
}
