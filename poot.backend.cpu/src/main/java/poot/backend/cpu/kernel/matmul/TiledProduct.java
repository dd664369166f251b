package poot.backend.cpu.kernel.matmul;

import java.lang.foreign.MemorySegment;
import poot.backend.cpu.work.Team;

/**
 * x [m, k] times the transpose of one stored weight [n, k], computed some columns of the result at a time: all F32,
 * accumulated in F32. The columns of several products over one x can be handed out together, and what is done with a
 * range of columns can follow at once, while it is in cache.
 *
 * <p>A run is {@link #stage} once, then {@link #run} over ranges that cover the columns, from any workers in any order.
 * Neither allocates. A column's bits depend on x and its weight row alone: not on the ranges, nor on the workers.
 */
public interface TiledProduct {
    /** Prepares what every range reads of x, once per run, before the first range; called by the team's driver. */
    void stage(Team team);

    /** Rows of x and of the result: m. */
    int rows();

    /** Columns of the result, rows of the weight: n. */
    int columns();

    /** Multiplications of one element of the result: k. */
    int depth();

    /** The smallest sensible number of columns of a range; ranges begin at its multiples and end there or at n. */
    int grain();

    /**
     * Computes columns {@code from} (inclusive) to {@code to} (exclusive) of all rows: row i, column j goes to byte
     * {@code at + i · stride + 4 · (j - from)} of {@code out}, which belongs to this range alone.
     *
     * @param worker the worker that calls, for its scratch
     * @param at     in bytes, a multiple of 4
     * @param stride from one row to the next, in bytes; may be anything where m is 1
     */
    void run(int worker, int from, int to, MemorySegment out, long at, long stride);
}
