package poot.backend.cpu;

import java.util.Map;
import java.util.Optional;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.Target;
import poot.api.graph.Role;
import poot.api.graph.Weight;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.prepare.Weights;
import poot.backend.cpu.work.Team;

/** An open CPU: a team of workers that its executables use in turn. */
final class CpuExecutor implements Executor {
    private final Team team;
    private final Optional<Emitter> emitter = Emitter.open();
    private final Target target = new CpuTarget();
    private volatile boolean closed;

    CpuExecutor(int threads) {
        this.team = new Team(threads);
    }

    @Override
    public Target target() {
        return target;
    }

    /** Keeps references only: weights are read where they are mapped. */
    @Override
    public Executable load(Map<Role, Weight> weights) throws ExecutorException {
        if (closed) {
            throw new ExecutorException(new Mismatch("the executor is closed; open another"));
        }
        return new CpuExecutable(team, new Weights(weights, team.worker()), emitter);
    }

    @Override
    public void close() {
        closed = true;
        team.close();
        emitter.ifPresent(Emitter::close);
    }
}
