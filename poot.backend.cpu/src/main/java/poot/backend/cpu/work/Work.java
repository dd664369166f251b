package poot.backend.cpu.work;

/** Work over a range of independent items. */
@FunctionalInterface
public interface Work {
    /** Does items {@code from} (inclusive) to {@code to} (exclusive) as worker {@code worker} of the team. */
    void run(int worker, long from, long to);
}
