package poot.backend.cpu;

import java.util.Map;
import java.util.Optional;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorException.Mismatch;
import poot.api.executor.Residency;
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
    private final Residency residency;
    private volatile boolean closed;

    CpuExecutor(int threads, Residency residency) {
        this.team = new Team(threads);
        this.residency = residency;
    }

    @Override
    public Target target() {
        return target;
    }

    @Override
    public Executable load(Map<Role, Weight> weights) throws ExecutorException {
        if (closed) {
            throw new ExecutorException(new Mismatch("the executor is closed; open another"));
        }
        WeightCopies copies = new WeightCopies(weights.values(), residency, team);
        return new CpuExecutable(team, new Weights(weights, team.worker()), copies, emitter);
    }

    @Override
    public void close() {
        closed = true;
        team.close();
        emitter.ifPresent(Emitter::close);
    }
}
