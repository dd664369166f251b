package poot.core.kernel.execute;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.States;
import poot.api.graph.TensorType;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceBuffer;

/** Carried states, a buffer each. */
final class DeviceStates implements States {
    private static final int PADDING = 16;
    /** Bytes that pass through the host at a time where a device's words do not fit. */
    private static final int PIECE = 1 << 20;
    /** The longest array. */
    private static final long MOST_COPIED = Integer.MAX_VALUE - 8;

    private record State(TensorType type, DeviceBuffer buffer) {
        int units() {
            return type.shape().rank() == 0 ? 1 : type.shape().dim(0);
        }

        /** Bytes of a unit. */
        long unit() {
            return units() == 0 ? 0 : type.bytes() / units();
        }
    }

    private final DeviceExecutable owner;
    private final Device device;
    private final Map<String, State> byName = new LinkedHashMap<>();
    private boolean closed;

    private DeviceStates(DeviceExecutable owner, Device device) {
        this.owner = owner;
        this.device = device;
    }

    static DeviceStates allocate(DeviceExecutable owner, Device device, Map<String, TensorType> types) throws ExecutorException {
        DeviceStates out = new DeviceStates(owner, device);
        boolean done = false;
        try {
            for (Map.Entry<String, TensorType> e : types.entrySet()) {
                long bytes = (e.getValue().bytes() + 2 * PADDING - 1) & -PADDING;
                DeviceBuffer b = device.allocate("state " + e.getKey() + " " + e.getValue(), bytes);
                out.byName.put(e.getKey(), new State(e.getValue(), b));
                device.fill(b, 0, bytes);
            }
            done = true;
            return out;
        } finally {
            if (!done) {
                out.release();
            }
        }
    }

    boolean isOf(DeviceExecutable executable) {
        return owner == executable;
    }

    /** The buffer of a state of the given type. */
    DeviceBuffer buffer(String state, TensorType type) throws ExecutorException {
        State s = of(state);
        if (!s.type().equals(type)) {
            throw mismatch("state " + state + " is " + s.type() + " but the program carries " + type);
        }
        return s.buffer();
    }

    @Override
    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    @Override
    public void write(String state, long from, MemorySegment bytes) throws ExecutorException {
        synchronized (device) {
            State s = of(state);
            long at = from < 0 || from > s.units() ? -1 : from * s.unit();
            if (at < 0 || bytes.byteSize() > s.type().bytes() - at) {
                throw mismatch(bytes.byteSize() + " bytes from unit " + from + " do not fit state " + state + " " + s.type());
            }
            device.upload(s.buffer(), at, bytes);
        }
    }

    @Override
    public void clear(String state, long from, long to) throws ExecutorException {
        synchronized (device) {
            State s = of(state);
            within(state, s, from, to);
            long at = from * s.unit();
            long bytes = (to - from) * s.unit();
            if (bytes > 0 && words(at, bytes)) {
                device.fill(s.buffer(), at, bytes);
                return;
            }
            MemorySegment zeros = MemorySegment.ofArray(new byte[(int) Math.min(PIECE, bytes)]);
            for (long done = 0; done < bytes; done += PIECE) {
                device.upload(s.buffer(), at + done, zeros.asSlice(0, Math.min(PIECE, bytes - done)));
            }
        }
    }

    private static boolean words(long at, long bytes) {
        return ((at | bytes) & 3) == 0;
    }

    @Override
    public void copy(String state, long from, long to, long count) throws ExecutorException {
        synchronized (device) {
            State s = of(state);
            if (count < 0 || count > s.units()) {
                throw mismatch(count + " units are not in state " + state + " " + s.type());
            }
            within(state, s, from, from + count);
            within(state, s, to, to + count);
            copy(s.buffer(), from * s.unit(), to * s.unit(), count * s.unit());
        }
    }

    /** In pieces that do not overlap themselves, from the end where the target lies behind; small or odd ones by way of the host. */
    private void copy(DeviceBuffer b, long from, long to, long bytes) throws ExecutorException {
        long apart = Math.abs(to - from);
        if (apart == 0 || bytes == 0) {
            return;
        }
        boolean direct = words(from, bytes) && words(to, apart) && (apart >= bytes || apart >= PIECE);
        long piece = direct ? Math.min(apart, bytes) : Math.min(PIECE, bytes);
        MemorySegment host = direct ? MemorySegment.NULL : MemorySegment.ofArray(new byte[(int) piece]);
        for (long done = 0; done < bytes; done += piece) {
            long n = Math.min(piece, bytes - done);
            long at = to > from ? bytes - done - n : done;
            if (direct) {
                device.copy(b, from + at, b, to + at, n);
            } else {
                device.download(b, from + at, host.asSlice(0, n));
                device.upload(b, to + at, host.asSlice(0, n));
            }
        }
    }

    private static void within(String state, State s, long from, long to) throws ExecutorException {
        if (from < 0 || to < from || to > s.units()) {
            throw mismatch("units " + from + ".." + to + " are not in state " + state + " " + s.type());
        }
    }

    @Override
    public MemorySegment read(String state) throws ExecutorException {
        synchronized (device) {
            State s = of(state);
            if (s.type().bytes() > MOST_COPIED) {
                throw mismatch("state " + state + " " + s.type() + " is " + s.type().bytes() + " bytes; a copy on the host holds at most "
                        + MOST_COPIED + ", so read it from a program that slices it");
            }
            try {
                MemorySegment copy = MemorySegment.ofArray(new byte[(int) s.type().bytes()]);
                device.download(s.buffer(), 0, copy);
                return copy;
            } catch (OutOfMemoryError e) {
                throw new ExecutorException(new OutOfMemory("a copy of state " + state + " in Java's heap", s.type().bytes()), e);
            }
        }
    }

    long residentBytes() {
        return byName.values().stream().mapToLong(s -> s.buffer().bytes()).sum();
    }

    private State of(String name) throws ExecutorException {
        State s = byName.get(name);
        if (s == null || closed) {
            throw mismatch(closed ? "the states are closed; allocate others" : "no state " + name + " among " + byName.keySet());
        }
        return s;
    }

    private static ExecutorException mismatch(String what) {
        return new ExecutorException(new Mismatch(what));
    }

    private void release() {
        byName.values().forEach(s -> s.buffer().close());
    }

    @Override
    public void close() {
        synchronized (device) {
            if (!closed) {
                closed = true;
                owner.forget(this);
                release();
            }
        }
    }
}
