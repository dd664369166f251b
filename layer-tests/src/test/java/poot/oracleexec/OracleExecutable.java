package poot.oracleexec;

import java.lang.foreign.Arena;
import java.util.Map;
import poot.api.executor.Entry;
import poot.api.executor.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.Program;
import poot.api.executor.States;
import poot.api.graph.Op;
import poot.api.graph.Role;
import poot.api.graph.TensorType;
import poot.api.graph.Weight;
import poot.oracle.Oracle;

/** Weights decoded once by one oracle; one arena owns every buffer. */
final class OracleExecutable implements Executable {
    private final Map<Role, Weight> weights;
    private final Oracle oracle;
    private final Arena arena = Arena.ofShared();
    private long resident;

    OracleExecutable(Map<Role, Weight> weights) {
        this.weights = weights;
        this.oracle = Oracle.over(weights::get);
    }

    @Override
    public Entry addEntry(Program program) throws ExecutorException {
        for (Op.Const c : program.graph().constants()) {
            if (!weights.containsKey(c.role())) {
                throw new ExecutorException(new ExecutorException.Mismatch("no weight was loaded for role " + c.role()));
            }
        }
        OracleEntry entry = new OracleEntry(program, oracle, arena);
        resident += entry.bytes();
        return entry;
    }

    @Override
    public States allocate(Map<String, TensorType> states) {
        HostStates s = new HostStates(states, arena);
        resident += s.bytes();
        return s;
    }

    @Override
    public long residentBytes() {
        return resident;
    }

    @Override
    public void close() {
        arena.close();
    }
}
