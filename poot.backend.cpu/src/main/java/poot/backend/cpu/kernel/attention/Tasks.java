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

    // ---- what its tokens see ----

    /** The first position that some token of a task sees; 0 where none sees any. */
    int first(Keys keys, long task) {
        int first = Integer.MAX_VALUE;
        for (int t = firstToken(task), end = t + tokens(task); t < end; t++) {
            first = keys.end(row(task), t) > 0 ? Math.min(first, keys.first(row(task), t)) : first;
        }
        return first == Integer.MAX_VALUE ? 0 : first;
    }

    /** One past the last position that some token sees. */
    int end(Keys keys, long task) {
        int last = 0;
        for (int t = firstToken(task), end = t + tokens(task); t < end; t++) {
            last = Math.max(last, keys.end(row(task), t));
        }
        return last;
    }

    /** The first position from which on no token of a task sees less for its window. */
    int lastFirst(Keys keys, long task) {
        int first = 0;
        for (int t = firstToken(task), end = t + tokens(task); t < end; t++) {
            first = Math.max(first, keys.first(row(task), t));
        }
        return first;
    }

    /** One past the last position that all tokens may see. */
    int firstEnd(Keys keys, long task) {
        int last = Integer.MAX_VALUE;
        for (int t = firstToken(task), end = t + tokens(task); t < end; t++) {
            last = Math.min(last, keys.end(row(task), t));
        }
        return last;
    }
}
