package poot.oracleexec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import poot.api.executor.BufferPlan;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;
import poot.api.graph.TensorType;

/** Carried states in host memory. */
final class HostStates implements States {
    private final Map<String, TensorType> types;
    private final Map<String, MemorySegment> bytes = new HashMap<>();

    HostStates(Map<String, TensorType> types, Arena arena) {
        this.types = Map.copyOf(types);
        types.forEach((name, t) -> bytes.put(name, arena.allocate(t.bytes(), BufferPlan.ALIGNMENT)));
    }

    long bytes() {
        return bytes.values().stream().mapToLong(MemorySegment::byteSize).sum();
    }

    /** The buffer of a state, which must have the given type. */
    MemorySegment buffer(String state, TensorType type) throws ExecutorException {
        if (!type.equals(types.get(state))) {
            throw new ExecutorException(new ExecutorException.Mismatch(
                    "state " + state + " is " + types.get(state) + " and the program carries " + type));
        }
        return bytes.get(state);
    }

    @Override
    public Set<String> names() {
        return types.keySet();
    }

    @Override
    public void write(String state, long from, MemorySegment data) throws ExecutorException {
        MemorySegment.copy(data, 0, known(state), from * unit(state), data.byteSize());
    }

    @Override
    public void clear(String state, long from, long to) throws ExecutorException {
        known(state).asSlice(from * unit(state), (to - from) * unit(state)).fill((byte) 0);
    }

    @Override
    public void copy(String state, long from, long to, long count) throws ExecutorException {
        MemorySegment s = known(state);
        MemorySegment.copy(s, from * unit(state), s, to * unit(state), count * unit(state));
    }

    @Override
    public MemorySegment read(String state) throws ExecutorException {
        return MemorySegment.ofArray(known(state).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void close() {
        // the executable's arena owns the buffers
    }

    private long unit(String state) {
        TensorType t = types.get(state);
        return t.bytes() / Math.max(1, t.shape().dim(0));
    }

    private MemorySegment known(String state) throws ExecutorException {
        MemorySegment s = bytes.get(state);
        if (s == null) {
            throw new ExecutorException(new ExecutorException.Mismatch("no state " + state + " among " + types.keySet()));
        }
        return s;
    }
}
