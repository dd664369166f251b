package poot.backend.cpu.kernel.attention;

import poot.backend.cpu.memory.Region;

/**
 * Which tokens and heads each task of an attention has.
 *
 * @param tile tokens of a task, fewer in the last of a row
 * @param span key/value heads of a task
 */
record Tasks(Attention.Extents extents, int tile, int span) {
    /** Tasks of a row. */
    long perRow() {
        return (long) tiles() * (extents.groups() / span);
    }

    /** All tasks. */
    long count() {
        return extents.rows() * perRow();
    }

    private int tiles() {
        return Math.ceilDiv(extents.tokens(), tile);
    }

    /** The row of a task. */
    int row(long task) {
        return (int) (task / perRow());
    }

    /** Its first key/value head. */
    int firstGroup(long task) {
        return (int) (task % perRow() / tiles()) * span;
    }

    /** Its first token. */
    int firstToken(long task) {
        return (int) (task % tiles()) * tile;
    }

    /** Its tokens. */
    int tokens(long task) {
        return Math.min(tile, extents.tokens() - firstToken(task));
    }

    /** Where the query heads of a task's group and token begin in {@code of}, F32 [R, T, H, width]. */
    long head(Region of, long task, int group, int token, int width) {
        long t = (long) row(task) * extents.tokens() + firstToken(task) + token;
        int share = extents.heads() / extents.groups();
        return of.offset() + 4 * (t * extents.heads() + (long) (firstGroup(task) + group) * share) * width;
    }
}
