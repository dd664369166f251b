package poot.core.kernel.execute;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import poot.api.executor.Entry;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Invalid;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.TensorType;
import poot.core.kernel.device.Device;
import poot.core.kernel.device.DeviceMemory;
import poot.core.kernel.device.Recording;
import poot.core.kernel.plan.Kernels;
import poot.core.kernel.plan.Plan;
import poot.core.kernel.plan.Span;

/** One program on a device: its memory, and a recording for each set of states it met lately. */
final class DeviceEntry implements Entry {
    /** Recordings kept; one that was not used lately goes first. */
    private static final int MOST_RECORDINGS = 4;

    private final DeviceExecutable owner;
    private final Device device;
    private final Program program;
    private final Plan plan;
    private final EntryMemory memory;
    private final Commands commands;
    private final Map<DeviceStates, Recording> recordings = new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;

    private DeviceEntry(DeviceExecutable owner, Device device, Program program, Plan plan, EntryMemory memory, Commands commands) {
        this.owner = owner;
        this.device = device;
        this.program = program;
        this.plan = plan;
        this.memory = memory;
        this.commands = commands;
    }

    static DeviceEntry prepare(DeviceExecutable owner, Device device, Program program, Plan plan, Kernels kernels) throws ExecutorException {
        EntryMemory memory = EntryMemory.allocate(device, plan);
        boolean done = false;
        try {
            Commands commands = Commands.compile(device, plan, kernels, memory);
            done = true;
            return new DeviceEntry(owner, device, program, plan, memory, commands);
        } finally {
            if (!done) {
                memory.close();
            }
        }
    }

    @Override
    public Program program() {
        return program;
    }

    @Override
    public MemorySegment input(String slot) {
        Span s = plan.slots().get(slot);
        if (s == null) {
            throw new IllegalArgumentException("no slot " + slot + " among " + plan.slots().keySet());
        }
        return memory.hostSlot(s);
    }

    @Override
    public MemorySegment output(String name) {
        Span s = plan.outputs().get(name);
        if (s == null) {
            throw new IllegalArgumentException("no output " + name + " among " + plan.outputs().keySet());
        }
        return memory.host(s).asReadOnly();
    }

    @Override
    public void run(States given) throws ExecutorException {
        synchronized (device) {
            if (closed) {
                throw new ExecutorException(new Mismatch("the entry is closed; add its program again"));
            }
            if (!(given instanceof DeviceStates own) || !own.isOf(owner)) {
                throw new ExecutorException(new Mismatch("the states were not allocated by this executable"));
            }
            recording(own).run();
            for (Plan.Check c : plan.checks()) {
                check(c);
            }
        }
    }

    private Recording recording(DeviceStates states) throws ExecutorException {
        Recording known = recordings.get(states);
        if (known != null) {
            return known;
        }
        Map<String, DeviceMemory> bound = new LinkedHashMap<>();
        for (Map.Entry<String, TensorType> s : plan.states().entrySet()) {
            bound.put(s.getKey(), states.buffer(s.getKey(), s.getValue()));
        }
        if (recordings.size() >= MOST_RECORDINGS) {
            forget(recordings.keySet().iterator().next());
        }
        Recording made = device.record(commands.over(bound));
        recordings.put(states, made);
        return made;
    }

    private void check(Plan.Check c) throws ExecutorException {
        MemorySegment ok = memory.host(c.ok());
        List<Integer> wrong = new ArrayList<>();
        LongStream.range(0, ok.byteSize()).filter(i -> ok.get(ValueLayout.JAVA_BYTE, i) == 0).forEach(i -> wrong.add((int) i));
        if (!wrong.isEmpty()) {
            throw new ExecutorException(new Invalid(c.what(), wrong));
        }
    }

    /** Drops what was recorded over states that are going. */
    void forget(DeviceStates states) {
        Recording r = recordings.remove(states);
        if (r != null) {
            r.close();
        }
    }

    long residentBytes() {
        return memory.bytes();
    }

    @Override
    public void close() {
        synchronized (device) {
            if (!closed) {
                closed = true;
                owner.forget(this);
                recordings.values().forEach(Recording::close);
                recordings.clear();
                memory.close();
            }
        }
    }
}
