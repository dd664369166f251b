package poot.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import poot.api.executor.Entry;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.DeviceFailed;
import poot.api.executor.ExecutorException.Invalid;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Memory;
import poot.backend.cpu.prepare.Prepared;
import poot.backend.cpu.work.Team;

/** One prepared program. */
final class CpuEntry implements Entry {
    private final Program program;
    private final Prepared prepared;
    private final Memory memory;
    private final Team team;
    private final CpuExecutable owner;
    private final Step[] steps;
    private final List<Map.Entry<String, Prepared.Bound>> states;
    private final Map<String, MemorySegment> inputs = new HashMap<>();
    private final Map<String, MemorySegment> outputs = new HashMap<>();
    private boolean closed;

    CpuEntry(Program program, Prepared prepared, Memory memory, Team team, CpuExecutable owner) {
        this.program = program;
        this.prepared = prepared;
        this.memory = memory;
        this.team = team;
        this.owner = owner;
        this.steps = prepared.steps().toArray(Step[]::new);
        this.states = List.copyOf(prepared.states().entrySet());
        prepared.inputs().forEach((name, b) -> inputs.put(name, slice(b)));
        prepared.outputs().forEach((name, b) -> {
            if (!prepared.states().values().stream().anyMatch(s -> s.region() == b.region())) {
                outputs.put(name, slice(b).asReadOnly());
            }
        });
    }

    private static MemorySegment slice(Prepared.Bound b) {
        return b.region().segment().asSlice(b.region().offset(), b.type().bytes());
    }

    @Override
    public Program program() {
        return program;
    }

    @Override
    public MemorySegment input(String slot) {
        MemorySegment s = inputs.get(slot);
        if (s == null) {
            throw new IllegalArgumentException("no slot " + slot + " among " + inputs.keySet());
        }
        return s;
    }

    /** An output that lies in a carried state is the state's bytes of the last run. */
    @Override
    public MemorySegment output(String name) {
        MemorySegment s = outputs.get(name);
        if (s != null) {
            return s;
        }
        Prepared.Bound b = prepared.outputs().get(name);
        if (b == null) {
            throw new IllegalArgumentException("no output " + name + " among " + prepared.outputs().keySet());
        }
        return slice(b).asReadOnly();
    }

    /** Whatever a kernel throws, also of weights that were released under it, is a failure of the device with its cause. */
    @Override
    public void run(States given) throws ExecutorException {
        team.acquire();
        try {
            if (closed) {
                throw new ExecutorException(new Mismatch("the entry is closed; add its program again"));
            }
            bind(given);
            for (Step s : steps) {
                s.run(team);
            }
            for (Prepared.Check c : prepared.validations()) {
                check(c);
            }
        } catch (RuntimeException | InternalError e) {
            throw new ExecutorException(new DeviceFailed("cpu", e.toString()), e);
        } finally {
            team.release();
        }
    }

    private void bind(States given) throws ExecutorException {
        if (states.isEmpty()) {
            return;
        }
        if (!(given instanceof CpuStates own)) {
            throw new ExecutorException(new Mismatch("the states were not allocated by this backend"));
        }
        for (Map.Entry<String, Prepared.Bound> s : states) {
            s.getValue().region().bind(own.bytes(s.getKey(), s.getValue().type()));
        }
    }

    private static void check(Prepared.Check c) throws ExecutorException {
        List<Integer> wrong = null;
        for (int row = 0; row < c.rows(); row++) {
            if (c.ok().segment().get(Lanes.BYTE, c.ok().offset() + row) == 0) {
                wrong = wrong == null ? new ArrayList<>() : wrong;
                wrong.add(row);
            }
        }
        if (wrong != null) {
            throw new ExecutorException(new Invalid(c.what(), wrong));
        }
    }

    long residentBytes() {
        return memory.bytes() + prepared.heapBytes();
    }

    /** Waits for a step: emitted code would go on in memory that is no longer there. */
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
