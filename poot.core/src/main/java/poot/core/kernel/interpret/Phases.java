package poot.core.kernel.interpret;

/**
 * The time of one device, in phases: a new one begins with each workgroup and at each barrier, so that what happens in
 * one phase happens in one workgroup between two barriers.
 */
final class Phases {
    private long now = 1;
    private long workgroup = 1;
    private long ordered = 1;

    /** The current phase. */
    long now() {
        return now;
    }

    /** The phase in which the current workgroup began. */
    long workgroup() {
        return workgroup;
    }

    /** The first phase that nothing has been ordered after yet: what happened earlier is seen by all. */
    long ordered() {
        return ordered;
    }

    /** A barrier between commands. */
    void order() {
        now++;
        ordered = now;
    }

    void beginWorkgroup() {
        now++;
        workgroup = now;
    }

    void barrier() {
        now++;
    }
}
