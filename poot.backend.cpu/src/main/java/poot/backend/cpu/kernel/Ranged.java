package poot.backend.cpu.kernel;

import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/**
 * A step over items of equal size that are computed independently of one another: any range of them, by any worker, has
 * the bits it would have in one run of all. Part i of n equal parts of the items makes part i of the result.
 */
public interface Ranged extends Step {
    /** The items of a run. */
    long items();

    /** Items not worth sharing. */
    long grain();

    /** What computes a range of items. */
    Work body();

    @Override
    default void run(Team team) {
        team.run(body(), items(), grain());
    }
}
