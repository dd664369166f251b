package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.kernel.matmul.SumTile;
import poot.backend.cpu.kernel.move.Zeros;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/**
 * softmax(softcap(scale · q·kᵀ) + bias) · v with an online softmax (Milakov and Gimelshein 2018; Dao et al. 2022), F32.
 *
 * <p>A task walks the positions that some tokens of one row see, in tiles of {@link #TILE}, with the query heads of a
 * key/value head together, so that a key read serves them all. Where a row has several tokens a task has one key/value
 * head; a single token's task has them all, so that the cache is read from one end to the other. Where a row has few
 * tasks its positions are split too, and a second pass joins the parts in their order; otherwise a part is finished
 * where it was made. How a row is split depends on its own shape and length alone.
 */
public final class Attention implements Step {
    /** Positions of a tile: a whole number of vectors of any width. */
    private static final int TILE = 64;
    /** Query rows (tokens times heads of a group) that read a key together. */
    private static final int QUERIES = 64;
    private static final int MOST_SPLITS = 16;
    /** Tasks of a row to aim at. A constant, so that a result depends on neither the workers nor the other rows. */
    private static final int TASKS = 64;

    /**
     * Extents and constants.
     *
     * @param rows   R
     * @param tokens T
     * @param heads  H query heads
     * @param groups G key/value heads
     * @param depth  D, features of a query and key
     * @param width  Dv, features of a value
     * @param scale  factor of every score
     * @param cap    0, or the softcap
     */
    public record Extents(int rows, int tokens, int heads, int groups, int depth, int width, float scale, float cap) {}

    /**
     * Operands.
     *
     * @param q       F32 [R, T, H, D]
     * @param k       [slots, G, D] of {@code element}
     * @param v       [slots, G, Dv] of {@code element}
     * @param slopes  F32 [H]
     * @param sinks   F32 [H]
     * @param out     F32 [R, T, H, Dv]
     */
    public record Operands(
            Region q, Region k, Region v, ElementType element, Optional<Region> slopes, Optional<Region> sinks, Region out) {}

    private final Extents e;
    private final Operands o;
    private final Keys keys;
    private final CacheRows cachedKeys;
    private final CacheRows cachedValues;
    private final Workspace workspace;
    private final int share;
    /** Tokens, and key/value heads, of a task. */
    private final int tile;
    private final int span;
    /** Whether there are queries enough that keys are transposed, and how many: then whole tiles. */
    private final boolean columns;
    private final int queries;
    private final int splits;
    private final long perRow;
    private final Parts parts;
    private final Work walk = this::walk;
    private final Work join = this::join;

    /** Prepared over the given operands. */
    public Attention(Extents e, Operands o, Keys keys, Workspace workspace) {
        this.e = e;
        this.o = o;
        this.keys = keys;
        this.cachedKeys = new CacheRows(o.k(), o.element(), e.groups(), e.depth(), workspace);
        this.cachedValues = new CacheRows(o.v(), o.element(), e.groups(), e.width(), workspace);
        this.workspace = workspace;
        this.share = e.heads() / e.groups();
        this.tile = Math.clamp(QUERIES / share, 1, e.tokens());
        this.span = e.tokens() == 1 ? e.groups() : 1;
        this.columns = tile * share >= 4;
        this.queries = columns ? (tile * share + 3) & -4 : tile * share;
        this.perRow = (long) Math.ceilDiv(e.tokens(), tile) * (e.groups() / span);
        int useful = Math.max(1, keys.capacity() / (2 * TILE));
        this.splits = (int) Math.min(Math.min(MOST_SPLITS, useful), Math.ceilDiv(TASKS, Math.max(1, perRow)));
        this.parts = new Parts(span * queries, e.width());
        workspace.reserveWorker(valuesAt(0) - queryAt(0) + 4L * TILE * e.width() + parts.bytes());
        workspace.reserveRow(columns ? TILE * e.depth() : 0);
        workspace.reserveShared(splits == 1 ? 0 : parts.bytes() * e.rows() * perRow * splits);
    }

    @Override
    public void run(Team team) {
        long tasks = e.rows() * perRow;
        team.run(walk, tasks * splits, 1);
        if (splits > 1) {
            team.run(join, tasks, Math.max(1, 4096 / Math.max(1, span * queries * e.width())));
        }
    }

    // ---- which tokens and heads a task has ----

    private int row(long task) {
        return (int) (task / perRow);
    }

    private int firstGroup(long task) {
        return (int) (task % perRow / Math.ceilDiv(e.tokens(), tile)) * span;
    }

    private int firstToken(long task) {
        return (int) (task % Math.ceilDiv(e.tokens(), tile)) * tile;
    }

    private int tokens(long task) {
        return Math.min(tile, e.tokens() - firstToken(task));
    }

    /** Where the first query head of a group begins in q or out, with {@code width} features a head, for a token of a task. */
    private long head(Region of, long task, int group, int token, int width) {
        long t = (long) row(task) * e.tokens() + firstToken(task) + token;
        return of.offset() + 4 * (t * e.heads() + (long) (firstGroup(task) + group) * share) * width;
    }

    // ---- scratch of a worker ----

    private MemorySegment parts() {
        return splits == 1 ? workspace.worker() : workspace.shared();
    }

    private long queryAt(int worker) {
        return workspace.workerAt(worker);
    }

    private long scoresAt(int worker) {
        return queryAt(worker) + 4L * span * queries * e.depth();
    }

    private long keysAt(int worker) {
        return scoresAt(worker) + 4L * queries * TILE;
    }

    private long valuesAt(int worker) {
        return keysAt(worker) + 4L * TILE * e.depth();
    }

    // ---- the walk over positions ----

    private void walk(int worker, long from, long to) {
        for (long item = from; item < to; item++) {
            long part = splits == 1 ? valuesAt(worker) + 4L * TILE * e.width() : item * parts.bytes();
            part(worker, item / splits, (int) (item % splits), part);
            if (splits == 1) {
                join(item, part);
            }
        }
    }

    private void part(int worker, long task, int split, long part) {
        int row = row(task);
        int token = firstToken(task);
        int tokens = tokens(task);
        parts.clear(parts(), part);
        int first = Integer.MAX_VALUE;
        int end = 0;
        for (int t = token; t < token + tokens; t++) {
            int last = keys.end(row, t);
            first = last > 0 ? Math.min(first, keys.first(row, t)) : first;
            end = Math.max(end, last);
        }
        int length = Math.ceilDiv(Math.ceilDiv(Math.max(0, end - first), splits), TILE) * TILE;
        int begin = first + split * length;
        int stop = Math.min(end, begin + length);
        if (begin < stop) {
            parts.begin(parts(), part);
            loadQueries(worker, task, tokens);
            for (int at = begin; at < stop; at += TILE) {
                int n = Math.min(TILE, stop - at);
                boolean whole = keys.consecutive(row, at, n);
                if (whole && span > 1) {
                    int slot = keys.slot(row, at);
                    workspace.wide(worker)[0] = cachedKeys.touch(slot, n) + cachedValues.touch(slot, n);
                }
                for (int g = 0; g < span; g++) {
                    tile(worker, task, g, tokens, at, n, whole, part);
                }
            }
        }
    }

    private void loadQueries(int worker, long task, int tokens) {
        MemorySegment s = workspace.worker();
        for (int g = 0; g < span; g++) {
            long to = queryAt(worker) + 4L * g * queries * e.depth();
            for (int t = 0; t < tokens; t++) {
                long from = head(o.q(), task, g, t, e.depth());
                Softmax.scale(o.q().segment(), from, e.scale(), s, to + 4L * t * share * e.depth(), share * e.depth());
            }
            long used = 4L * tokens * share * e.depth();
            Zeros.put(s, to + used, 4L * queries * e.depth() - used);
        }
    }

    /** The queries of a task's group {@code g} against {@code n} positions, whose slots are consecutive where {@code whole}. */
    private void tile(int worker, long task, int g, int tokens, int at, int n, boolean whole, long part) {
        int row = row(task);
        int group = firstGroup(task) + g;
        int first = keys.slot(row, at);
        boolean holes = !whole && holes(row, at, n);
        MemorySegment s = workspace.worker();
        long q = queryAt(worker) + 4L * g * queries * e.depth();
        long scores = scoresAt(worker);
        int m = tokens * share;
        if (columns) {
            float[] transposed = workspace.row(worker);
            for (int i = 0; i < n; i++) {
                cachedKeys.column(worker, whole ? first + i : keys.slot(row, at + i), group, transposed, TILE, i);
            }
            MemorySegment.copy(transposed, 0, s, FLOAT, keysAt(worker), TILE * e.depth());
            SumTile.multiply(s, q, 4L * e.depth(), (m + 3) & -4, s, keysAt(worker), 4L * TILE, TILE, e.depth(), s, scores, 4L * TILE, false);
        } else {
            boolean direct = m == 1 && whole && cachedKeys.direct();
            for (int i = 0; !direct && i < n; i++) {
                cachedKeys.row(worker, whole ? first + i : keys.slot(row, at + i), group, s, keysAt(worker) + 4L * i * e.depth());
            }
            for (int i = 0; i < m; i++) {
                ScoreTile.multiply(s, q + 4L * i * e.depth(), direct ? o.k().segment() : s,
                        direct ? cachedKeys.at(first, group) : keysAt(worker), direct ? cachedKeys.stride() : 4L * e.depth(),
                        n, e.depth(), s, scores + 4L * i * TILE);
            }
        }
        for (int i = 0; i < m; i++) {
            int token = firstToken(task) + i / share;
            weigh(row, token, group * share + i % share, at, n, holes, scores + 4L * i * TILE, part, g * queries + i);
        }
        boolean direct = m == 1 && whole && cachedValues.direct();
        for (int i = 0; !direct && i < n; i++) {
            cachedValues.row(worker, whole ? first + i : keys.slot(row, at + i), group, s, valuesAt(worker) + 4L * i * e.width());
        }
        SumTile.multiply(s, scores, 4L * TILE, m,
                direct ? o.v().segment() : s, direct ? cachedValues.at(first, group) : valuesAt(worker),
                direct ? cachedValues.stride() : 4L * e.width(), e.width(), n,
                parts(), parts.row(part, g * queries), 4L * e.width(), true);
    }

    private boolean holes(int row, int at, int n) {
        for (int i = 0; i < n; i++) {
            if (keys.slot(row, at + i) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Scores of one query to weights. */
    private void weigh(int row, int token, int head, int at, int n, boolean holes, long scores, long part, int query) {
        MemorySegment s = workspace.worker();
        if (e.cap() > 0) {
            Softmax.cap(s, scores, n, e.cap());
        }
        if (o.slopes().isPresent()) {
            Region slopes = o.slopes().get();
            float slope = slopes.segment().get(FLOAT, slopes.offset() + 4L * head);
            Softmax.slope(s, scores, n, slope, at - keys.position(row, token));
        }
        int from = Math.clamp(keys.first(row, token) - (long) at, 0, n);
        int to = Math.clamp(keys.end(row, token) - (long) at, 0, n);
        Softmax.mask(s, scores, n, Math.min(from, to), to);
        for (int i = from; holes && i < to; i++) {
            if (keys.slot(row, at + i) < 0) {
                s.set(FLOAT, scores + 4L * i, Float.NEGATIVE_INFINITY);
            }
        }
        float most = Math.max(parts().get(FLOAT, parts.largest(part, query)), Softmax.max(s, scores, n));
        if (most == Float.NEGATIVE_INFINITY) {
            Zeros.put(s, scores, 4L * n);
        } else {
            parts.grow(parts(), part, query, most, Softmax.exp(s, scores, n, most));
        }
    }

    // ---- the join of parts ----

    private void join(int worker, long from, long to) {
        for (long task = from; task < to; task++) {
            join(task, task * splits * parts.bytes());
        }
    }

    /** The parts of a task, the first at {@code first}, to its rows of the result. */
    private void join(long task, long first) {
        for (int g = 0; g < span; g++) {
            for (int i = 0; i < tokens(task) * share; i++) {
                float sink = Float.NEGATIVE_INFINITY;
                if (o.sinks().isPresent()) {
                    Region sinks = o.sinks().get();
                    int head = (firstGroup(task) + g) * share + i % share;
                    sink = sinks.segment().get(FLOAT, sinks.offset() + 4L * head);
                }
                long to = head(o.out(), task, g, i / share, e.width()) + 4L * (i % share) * e.width();
                parts.join(parts(), first, splits, g * queries + i, sink, o.out().segment(), to);
            }
        }
    }
}
