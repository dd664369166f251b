package poot.core.kernel.execute;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.MemoryLeft;
import poot.api.graph.Encoding;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;
import poot.core.kernel.plan.Home;
import poot.core.kernel.plan.Resident;
import poot.core.kernel.plan.Span;
import poot.core.quant.CodeBooks;

/** Weights on a device; a part that several weights are views of is there once. */
final class DeviceWeights implements AutoCloseable {
    /** Parts are followed by zeros up to a multiple of this, so that whole words can be read. */
    private static final int PADDING = 16;

    private final Device device;
    private final Map<Role, Resident> byRole = new HashMap<>();
    private final Map<MemorySegment, DeviceBuffer> parts = new HashMap<>();
    private final Map<Encoding, DeviceBuffer> books = new EnumMap<>(Encoding.class);

    private DeviceWeights(Device device) {
        this.device = device;
    }

    /** Uploads all of them. */
    static DeviceWeights upload(Device device, Map<Role, Weight> weights) throws ExecutorException {
        requireRoom(device, weights.values());
        DeviceWeights out = new DeviceWeights(device);
        boolean done = false;
        try {
            for (Map.Entry<Role, Weight> e : weights.entrySet()) {
                check(e.getKey(), e.getValue());
                List<Span> spans = new ArrayList<>();
                for (MemorySegment part : e.getValue().parts()) {
                    DeviceBuffer b = out.part("weight " + e.getValue().name(), part);
                    spans.add(new Span(new Home.Resident(b), 0, b.bytes()));
                }
                out.byRole.put(e.getKey(), new Resident(e.getValue(), spans, out.book(e.getValue().format().encoding())));
            }
            done = true;
            return out;
        } finally {
            if (!done) {
                out.close();
            }
        }
    }

    /** Refuses weights that do not fit before any is moved: that takes long. */
    private static void requireRoom(Device device, Collection<Weight> weights) throws ExecutorException {
        Set<MemorySegment> distinct = new HashSet<>();
        weights.forEach(w -> distinct.addAll(w.parts()));
        long bytes = distinct.stream().mapToLong(MemorySegment::byteSize).sum();
        Optional<MemoryLeft> memory = device.memory();
        if (memory.isPresent() && bytes > memory.get().free()) {
            throw new ExecutorException(new OutOfMemory("the weights", bytes, memory));
        }
    }

    private DeviceBuffer part(String what, MemorySegment bytes) throws ExecutorException {
        DeviceBuffer known = parts.get(bytes);
        if (known != null) {
            return known;
        }
        long size = bytes.byteSize();
        long padded = Math.max(PADDING, (size + PADDING - 1) & -PADDING);
        DeviceBuffer b = device.allocate(what, padded);
        parts.put(bytes, b);
        device.upload(b, 0, bytes);
        if (padded > size) {
            device.upload(b, size, MemorySegment.ofArray(new byte[(int) (padded - size)]));
        }
        return b;
    }

    private Optional<Span> book(Encoding encoding) throws ExecutorException {
        Optional<int[]> table = books.containsKey(encoding) ? Optional.empty() : CodeBooks.of(encoding);
        if (table.isPresent()) {
            DeviceBuffer b = device.allocate("the table of " + encoding, 4L * table.get().length);
            books.put(encoding, b);
            device.upload(b, 0, MemorySegment.ofArray(table.get()));
        }
        return Optional.ofNullable(books.get(encoding)).map(b -> new Span(new Home.Resident(b), 0, b.bytes()));
    }

    /** One-part weights must hold the rows they claim; formats of several parts are checked where they are planned. */
    private static void check(Role role, Weight w) throws ExecutorException {
        Encoding e = w.format().encoding();
        if (w.parts().isEmpty()) {
            throw mismatch("weight " + role + " (" + w.name() + ") has no bytes");
        }
        for (MemorySegment part : w.parts()) {
            if (!part.isAccessibleBy(Thread.currentThread())) {
                throw mismatch("weight " + role + " (" + w.name() + ") is mapped for another thread only; map it in a shared arena");
            }
        }
        if (w.stored().rank() == 0 || e.blockBytes() == 0 || w.parts().size() != 1) {
            return;
        }
        if (w.columns() % e.blockElements() != 0 || w.firstColumn() % e.blockElements() != 0) {
            throw mismatch("weight " + role + " (" + w.name() + ") has rows of " + w.columns() + " elements from column "
                    + w.firstColumn() + ", not whole blocks of " + e);
        }
        long rowBytes = (long) (w.columns() / e.blockElements()) * e.blockBytes();
        long rows = w.firstRow() + w.rowCount();
        long held = w.parts().getFirst().byteSize();
        if (rows < 0 || rowBytes > 0 && rows > held / rowBytes) {
            throw mismatch("weight " + role + " (" + w.name() + ") needs " + rows + " rows of " + rowBytes + " bytes of " + e
                    + " but has " + held + " bytes");
        }
    }

    private static ExecutorException mismatch(String what) {
        return new ExecutorException(new Mismatch(what));
    }

    /** Each weight, by role. */
    Map<Role, Resident> byRole() {
        return byRole;
    }

    /** What they take on the device. */
    long bytes() {
        return parts.values().stream().mapToLong(DeviceBuffer::bytes).sum() + books.values().stream().mapToLong(DeviceBuffer::bytes).sum();
    }

    @Override
    public void close() {
        parts.values().forEach(DeviceBuffer::close);
        parts.clear();
        books.values().forEach(DeviceBuffer::close);
        books.clear();
    }
}
