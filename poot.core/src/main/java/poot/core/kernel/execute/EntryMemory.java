package poot.core.kernel.execute;

import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import poot.api.executor.ExecutorException;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.device.DeviceMemory;
import poot.core.kernel.device.HostBuffer;
import poot.core.kernel.plan.Home;
import poot.core.kernel.plan.Plan;
import poot.core.kernel.plan.Span;

/** The memory of one entry, area by area; each a little more than asked for, so that its last value can be copied in words. */
final class EntryMemory implements AutoCloseable {
    private static final int PADDING = 16;

    private final Map<Home.Area, DeviceMemory> areas = new EnumMap<>(Home.Area.class);

    private EntryMemory() {}

    static EntryMemory allocate(Device device, Plan plan) throws ExecutorException {
        EntryMemory out = new EntryMemory();
        boolean done = false;
        try {
            for (Map.Entry<Home.Area, Long> e : plan.bytes().entrySet()) {
                long bytes = (e.getValue() + 2 * PADDING - 1) & -PADDING;
                out.areas.put(e.getKey(), switch (e.getKey()) {
                    case ARENA, SCRATCH, SLOTS -> device.allocate(what(e.getKey()), bytes);
                    case HOST_SLOTS, HOST_OUTPUTS -> device.allocateHost(what(e.getKey()), bytes);
                    case LITERALS -> literals(device, bytes, plan.literals());
                });
            }
            done = true;
            return out;
        } finally {
            if (!done) {
                out.close();
            }
        }
    }

    /** What a reader of a message knows an area as. */
    private static String what(Home.Area area) {
        return switch (area) {
            case ARENA -> "the values that a step computes";
            case SCRATCH -> "what the kernels of a step note";
            case SLOTS -> "the inputs of a step";
            case HOST_SLOTS -> "the inputs of a step, on the host";
            case HOST_OUTPUTS -> "the outputs of a step, on the host";
            case LITERALS -> "the literals of a step";
        };
    }

    private static DeviceBuffer literals(Device device, long bytes, byte[] contents) throws ExecutorException {
        DeviceBuffer out = device.allocate(what(Home.Area.LITERALS), bytes);
        boolean done = false;
        try {
            if (contents.length > 0) {
                device.upload(out, 0, MemorySegment.ofArray(contents));
            }
            done = true;
            return out;
        } finally {
            if (!done) {
                out.close();
            }
        }
    }

    /** An area. */
    DeviceMemory area(Home.Area area) {
        return areas.get(area);
    }

    /** The host's view of a slot. */
    MemorySegment hostSlot(Span slot) {
        return slice(Home.Area.HOST_SLOTS, slot);
    }

    /** The host's view of an output or a validation. */
    MemorySegment host(Span output) {
        return slice(Home.Area.HOST_OUTPUTS, output);
    }

    private MemorySegment slice(Home.Area area, Span s) {
        return areas.get(area) instanceof HostBuffer h ? h.memory().asSlice(s.offset(), s.bytes()) : MemorySegment.NULL;
    }

    long bytes() {
        return areas.values().stream().mapToLong(DeviceMemory::bytes).sum();
    }

    @Override
    public void close() {
        areas.values().forEach(DeviceMemory::close);
        areas.clear();
    }
}
