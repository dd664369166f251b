package poot.backend.cpu.kernel;

import poot.backend.cpu.work.Team;

/** A prepared kernel: its operands are resolved, a run computes its result and allocates nothing. */
@FunctionalInterface
public interface Step {
    /** Computes once. */
    void run(Team team);
}
