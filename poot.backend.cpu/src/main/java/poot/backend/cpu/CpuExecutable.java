package poot.backend.cpu;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.ExecutorException.OutOfMemory;
import poot.api.executor.MemoryLeft;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.TensorType;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.memory.Available;
import poot.backend.cpu.memory.Memory;
import poot.backend.cpu.prepare.Preparation;
import poot.backend.cpu.prepare.Prepared;
import poot.backend.cpu.prepare.Weights;
import poot.backend.cpu.work.Team;

/** Weights and the entries and states that belong to them, each with an arena of its own. */
final class CpuExecutable implements Executable {
    private final Team team;
    private final Weights weights;
    private final WeightCopies copies;
    private final Optional<Emitter> emitter;
    private final Set<CpuEntry> entries = new HashSet<>();
    private final Set<CpuStates> states = new HashSet<>();
    private boolean closed;

    CpuExecutable(Team team, Weights weights, WeightCopies copies, Optional<Emitter> emitter) {
        this.emitter = emitter;
        this.team = team;
        this.weights = weights;
        this.copies = copies;
    }

    @Override
    public Entry addEntry(Program program) throws ExecutorException {
        checkOpen();
        CpuEntry entry = copies.reading(() -> prepared(program));
        synchronized (this) {
            if (!closed) {
                entries.add(entry);
                return entry;
            }
        }
        entry.close();
        throw closed();
    }

    private CpuEntry prepared(Program program) throws ExecutorException {
        checkOpen();
        Memory memory = new Memory("entry");
        boolean done = false;
        try {
            Prepared prepared = Preparation.prepare(program, weights, copies, memory, team.size(), emitter);
            CpuEntry entry = new CpuEntry(program, prepared, memory, team, this);
            done = true;
            return entry;
        } catch (OutOfMemoryError | ArithmeticException e) {
            throw new ExecutorException(new OutOfMemory("the values of a step", program.buffers().arenaBytes(), Available.left()), e);
        } finally {
            if (!done) {
                memory.close();
            }
        }
    }

    @Override
    public States allocate(Map<String, TensorType> types) throws ExecutorException {
        checkOpen();
        CpuStates allocated = CpuStates.allocate(types, this, team);
        synchronized (this) {
            if (!closed) {
                states.add(allocated);
                return allocated;
            }
        }
        allocated.close();
        throw closed();
    }

    private synchronized void checkOpen() throws ExecutorException {
        if (closed) {
            throw closed();
        }
    }

    private static ExecutorException closed() {
        return new ExecutorException(new Mismatch("the executable is closed; load the weights again"));
    }

    @Override
    public synchronized long residentBytes() {
        long bytes = copies.bytes();
        for (CpuEntry e : entries) {
            bytes += e.residentBytes();
        }
        for (CpuStates s : states) {
            bytes += s.residentBytes();
        }
        return bytes;
    }

    @Override
    public long weightBytes() {
        return copies.bytes();
    }

    @Override
    public Optional<MemoryLeft> memory() {
        return Available.left();
    }

    synchronized void forget(CpuEntry entry) {
        entries.remove(entry);
    }

    synchronized void forget(CpuStates closed) {
        states.remove(closed);
    }

    @Override
    public void close() {
        List<CpuEntry> openEntries;
        List<CpuStates> openStates;
        boolean first;
        synchronized (this) {
            first = !closed;
            closed = true;
            openEntries = List.copyOf(entries);
            openStates = List.copyOf(states);
        }
        openEntries.forEach(CpuEntry::close);
        openStates.forEach(CpuStates::close);
        if (first) {
            copies.close();
        }
    }
}
