package poot.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.Residency;
import poot.api.executor.States;
import poot.api.graph.ElementType;
import poot.api.graph.TensorType;
import poot.backend.cpu.kernel.Lanes;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.memory.Memory;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.prepare.Prepared;
import poot.backend.cpu.prepare.Weights;
import poot.backend.cpu.work.Team;

/** Memory is not taken from under a step, and what is closed does not run. */
class CpuEntryTest {
    private static final TensorType TYPE = TensorType.of(ElementType.I32, 4, 2);

    /** A step that lets something be closed by another thread, which then waits, and goes on to use what is closed. */
    private static final class Slow implements Step {
        private final Region state;
        private final MemorySegment own;
        private Thread closing;

        Slow(Region state, MemorySegment own) {
            this.state = state;
            this.own = own;
        }

        @Override
        public void run(Team team) {
            closing.start();
            while (closing.getState() != Thread.State.WAITING && closing.isAlive()) {
                Thread.onSpinWait();
            }
            own.set(Lanes.INT, 0, 1);
            state.segment().set(Lanes.INT, state.offset(), 1);
        }
    }

    @Test
    void closingWaitsForAStep() throws Exception {
        try (Team team = new Team(1)) {
            for (int closed = 0; closed < 3; closed++) {
                WeightCopies copies = new WeightCopies(List.of(), Residency.MAPPED, team);
                CpuExecutable executable = new CpuExecutable(team, new Weights(Map.of(), Thread.currentThread()), copies, Optional.empty());
                States states = executable.allocate(Map.of("s", TYPE));
                Memory memory = new Memory("entry");
                Region state = Region.unbound();
                Slow step = new Slow(state, memory.allocate("own", 64));
                CpuEntry entry = new CpuEntry(null, new Prepared(List.of(step), Map.of(), Map.of(),
                        Map.of("s", new Prepared.Bound(state, TYPE)), List.of(), 0), memory, team, executable);
                AutoCloseable what = List.<AutoCloseable>of(entry, states, executable).get(closed);
                step.closing = new Thread(() -> {
                    try {
                        what.close();
                        entry.close();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
                entry.run(states);
                step.closing.join();
                assertEquals("the entry is closed; add its program again", refusal(() -> entry.run(states)));
                states.close();
                executable.close();
            }
        }
    }

    @Test
    void statesThatAreClosedSaySo() throws Exception {
        try (CpuExecutor executor = new CpuExecutor(1, Residency.MAPPED);
                CpuExecutable executable = assertInstanceOf(CpuExecutable.class, executor.load(Map.of()))) {
            States states = executable.allocate(Map.of("s", TYPE));
            assertTrue(executable.residentBytes() > 0);
            states.close();
            states.close();
            assertEquals(0, executable.residentBytes());
            assertEquals("the states are closed; allocate others", refusal(() -> states.read("s")));
            assertEquals("the states are closed; allocate others", refusal(() -> states.clear("s", 0, 1)));
        }
    }

    private static String refusal(org.junit.jupiter.api.function.Executable body) {
        return assertInstanceOf(Mismatch.class, assertThrows(ExecutorException.class, body).fault()).what();
    }
}
