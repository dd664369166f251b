package poot.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.States;
import poot.api.graph.TensorType;
import poot.backend.cpu.memory.Memory;
import poot.backend.cpu.work.Team;

/** Carried states in one arena. */
final class CpuStates implements States {
    /** The longest array. */
    private static final long MOST_COPIED = Integer.MAX_VALUE - 8;

    private record State(TensorType type, MemorySegment bytes) {}

    private final Memory memory;
    private final Map<String, State> byName;
    private final CpuExecutable owner;
    private final Team team;
    private volatile boolean closed;

    private CpuStates(Memory memory, Map<String, State> byName, CpuExecutable owner, Team team) {
        this.memory = memory;
        this.byName = byName;
        this.owner = owner;
        this.team = team;
    }

    static CpuStates allocate(Map<String, TensorType> types, CpuExecutable owner, Team team) throws ExecutorException {
        Memory memory = new Memory("states");
        boolean done = false;
        try {
            memory.foresee(types.size() + " carried states", types.values().stream().mapToLong(TensorType::bytes).sum());
            Map<String, State> byName = new HashMap<>();
            for (Map.Entry<String, TensorType> e : types.entrySet()) {
                TensorType t = e.getValue();
                byName.put(e.getKey(), new State(t, memory.allocateLarge("state " + e.getKey() + " " + t, t.bytes())));
            }
            done = true;
            return new CpuStates(memory, byName, owner, team);
        } finally {
            if (!done) {
                memory.close();
            }
        }
    }

    @Override
    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    @Override
    public void write(String state, long from, MemorySegment bytes) throws ExecutorException {
        State s = of(state);
        long at = from < 0 || from > units(s) ? -1 : from * unit(s);
        if (at < 0 || bytes.byteSize() > s.type().bytes() - at) {
            throw mismatch(bytes.byteSize() + " bytes from unit " + from + " do not fit state " + state + " " + s.type());
        }
        MemorySegment.copy(bytes, 0, s.bytes(), at, bytes.byteSize());
    }

    @Override
    public void clear(String state, long from, long to) throws ExecutorException {
        State s = of(state);
        within(state, s, from, to);
        s.bytes().asSlice(from * unit(s), (to - from) * unit(s)).fill((byte) 0);
    }

    @Override
    public void copy(String state, long from, long to, long count) throws ExecutorException {
        State s = of(state);
        if (count < 0 || count > units(s)) {
            throw mismatch(count + " units are not in state " + state + " " + s.type());
        }
        within(state, s, from, from + count);
        within(state, s, to, to + count);
        MemorySegment.copy(s.bytes(), from * unit(s), s.bytes(), to * unit(s), count * unit(s));
    }

    private static void within(String state, State s, long from, long to) throws ExecutorException {
        if (from < 0 || to < from || to > units(s)) {
            throw mismatch("units " + from + ".." + to + " are not in state " + state + " " + s.type());
        }
    }

    @Override
    public MemorySegment read(String state) throws ExecutorException {
        State s = of(state);
        int size = copied(state, s.type());
        try {
            byte[] copy = new byte[size];
            MemorySegment.copy(s.bytes(), 0, MemorySegment.ofArray(copy), 0, copy.length);
            return MemorySegment.ofArray(copy);
        } catch (OutOfMemoryError e) {
            throw new ExecutorException(new OutOfMemory("a copy of state " + state, size), e);
        }
    }

    /** The bytes of a copy on the host. */
    static int copied(String state, TensorType type) throws ExecutorException {
        if (type.bytes() > MOST_COPIED) {
            throw mismatch("state " + state + " " + type + " is " + type.bytes() + " bytes; a copy on the host holds at most "
                    + MOST_COPIED + ", so read it from a program that slices it");
        }
        return (int) type.bytes();
    }

    /** The bytes of a state of the given type. */
    MemorySegment bytes(String state, TensorType type) throws ExecutorException {
        State s = of(state);
        if (!s.type().equals(type)) {
            throw mismatch("state " + state + " is " + s.type() + " but the program carries " + type);
        }
        return s.bytes();
    }

    long residentBytes() {
        return memory.bytes();
    }

    private static int units(State s) {
        return s.type().shape().rank() == 0 ? 1 : s.type().shape().dim(0);
    }

    /** Bytes of a unit; times any number up to {@link #units} it is at most the bytes of the state. */
    private static long unit(State s) {
        int units = units(s);
        return units == 0 ? 0 : s.type().bytes() / units;
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

    /** Waits for a step, as {@link CpuEntry#close} does. */
    @Override
    public void close() {
        team.acquire();
        try {
            if (!closed) {
                closed = true;
                owner.forget(this);
                memory.close();
            }
        } finally {
            team.release();
        }
    }
}
