package poot.backend.cuda.interpret;

/** One instruction, for the lanes of a warp that run. Flow is told by {@link #kind}. */
interface Step {
    /** What comes after. */
    enum Kind { NEXT, BRANCH, BARRIER, END }

    void run(Warp w);

    default Kind kind() {
        return Kind.NEXT;
    }
}
