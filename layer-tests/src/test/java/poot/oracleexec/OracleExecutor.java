package poot.oracleexec;

import java.util.Map;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.Target;
import poot.api.graph.Role;
import poot.api.graph.Weight;

/** Opens executables over the oracle. */
public final class OracleExecutor implements Executor {
    @Override
    public Target target() {
        return new OracleTarget();
    }

    @Override
    public Executable load(Map<Role, Weight> weights) {
        return new OracleExecutable(Map.copyOf(weights));
    }

    @Override
    public void close() {
        // holds nothing
    }
}
