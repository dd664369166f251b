package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import poot.api.graph.ElementType;
import poot.backend.cpu.kernel.Step;
import poot.backend.cpu.kernel.matmul.DotTile;
import poot.backend.cpu.kernel.matmul.SumTile;
import poot.backend.cpu.kernel.move.Zeros;
import poot.backend.cpu.kernel.weight.Dense;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;
import poot.backend.cpu.work.Team;
import poot.backend.cpu.work.Work;

/**
 * softmax(softcap(scale · q·kᵀ) + bias) · v with an online softmax (Milakov and Gimelshein 2018; Dao et al. 2022), F32.
 *
 * <p>A task is some tokens of one row with the query heads of one key/value head, so that a key read once serves them
 * all; it walks the positions its tokens see in tiles of {@link #TILE}. Where there are few tasks the
 * positions are split too, and a second pass joins the parts; otherwise a part is finished where it was made.
 */
public final class Attention implements Step {
    /** Positions of a tile: a whole number of vectors of any width. */
    private static final int TILE = 64;
    /** Query rows (tokens times heads of a group) a task aims at. */
    private static final int QUERIES = 32;
    private static final int MOST_SPLITS = 16;
    /**
     * Tasks of a row to aim at. A constant, so that a result depends neither on the number of workers nor on the other
     * rows.
     */
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
    private final Workspace workspace;
    private final int share;
    private final int tile;
    private final int splits;
    private final long tasks;
    private final long partBytes;
    private final Work walk = this::walk;
    private final Work join = this::join;

    /** Prepared over the given operands. */
    public Attention(Extents e, Operands o, Keys keys, Workspace workspace) {
        this.e = e;
        this.o = o;
        this.keys = keys;
        this.workspace = workspace;
        this.share = e.heads() / e.groups();
        this.tile = Math.clamp(QUERIES / share, 1, e.tokens());
        this.tasks = (long) e.rows() * e.groups() * Math.ceilDiv(e.tokens(), tile);
        int useful = Math.max(1, keys.capacity() / (2 * TILE));
        long perRow = tasks / Math.max(1, e.rows());
        this.splits = (int) Math.min(Math.min(MOST_SPLITS, useful), Math.ceilDiv(TASKS, Math.max(1, perRow)));
        this.partBytes = 4L * queries() * (e.width() + 2);
        workspace.reserveWorker(4L * queries() * (e.depth() + TILE) + 4L * TILE * (e.depth() + e.width()) + partBytes);
        workspace.reserveShared(splits == 1 ? 0 : partBytes * tasks * splits);
    }

    private int queries() {
        return tile * share;
    }

    /** Where parts lie: with the worker that finishes them, or where all can read them. */
    private MemorySegment parts() {
        return splits == 1 ? workspace.worker() : workspace.shared();
    }

    @Override
    public void run(Team team) {
        team.run(walk, tasks * splits, 1);
        if (splits > 1) {
            team.run(join, tasks, Math.max(1, 4096 / Math.max(1, queries() * e.width())));
        }
    }

    private int row(long task) {
        return (int) (task / Math.ceilDiv(e.tokens(), tile) / e.groups());
    }

    private int group(long task) {
        return (int) (task / Math.ceilDiv(e.tokens(), tile) % e.groups());
    }

    private int firstToken(long task) {
        return (int) (task % Math.ceilDiv(e.tokens(), tile)) * tile;
    }

    /** One part: accumulators [queries, Dv], then the largest score and the sum of each query. */
    private void walk(int worker, long from, long to) {
        for (long item = from; item < to; item++) {
            long part = splits == 1 ? valuesAt(worker) + 4L * TILE * e.width() : item * partBytes;
            part(worker, item / splits, (int) (item % splits), part);
            if (splits == 1) {
                join(item, part);
            }
        }
    }

    private void part(int worker, long task, int split, long part) {
        int row = row(task);
        int token = firstToken(task);
        int tokens = Math.min(tile, e.tokens() - token);
        int queries = tokens * share;
        MemorySegment parts = parts();
        for (int i = 0; i < queries; i++) {
            parts.set(FLOAT, largest(part, i), Float.NEGATIVE_INFINITY);
            parts.set(FLOAT, sum(part, i), 0f);
        }
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
            Zeros.put(parts, part, 4L * queries() * e.width());
            loadQueries(worker, task, tokens);
            for (int at = begin; at < stop; at += TILE) {
                tile(worker, task, tokens, at, Math.min(TILE, stop - at), part);
            }
        }
    }

    private long largest(long part, int query) {
        return part + 4L * (queries() * e.width() + query);
    }

    private long sum(long part, int query) {
        return part + 4L * (queries() * (e.width() + 1) + query);
    }

    private long queryAt(int worker) {
        return workspace.workerAt(worker);
    }

    private long scoresAt(int worker) {
        return queryAt(worker) + 4L * queries() * e.depth();
    }

    private long keysAt(int worker) {
        return scoresAt(worker) + 4L * queries() * TILE;
    }

    private long valuesAt(int worker) {
        return keysAt(worker) + 4L * TILE * e.depth();
    }

    private void loadQueries(int worker, long task, int tokens) {
        int head = group(task) * share;
        for (int t = 0; t < tokens; t++) {
            long token = (long) row(task) * e.tokens() + firstToken(task) + t;
            long at = o.q().offset() + 4 * (token * e.heads() + head) * e.depth();
            long to = queryAt(worker) + 4L * t * share * e.depth();
            Softmax.scale(o.q().segment(), at, e.scale(), workspace.worker(), to, share * e.depth());
        }
    }

    private void tile(int worker, long task, int tokens, int at, int n, long part) {
        MemorySegment s = workspace.worker();
        int row = row(task);
        long scores = scoresAt(worker);
        boolean holes = loadKeys(worker, row, group(task), at, n);
        DotTile.multiply(
                s, queryAt(worker), 4L * e.depth(), tokens * share, s, keysAt(worker), 4L * e.depth(), n, e.depth(),
                s, scores, 4L * TILE, false, workspace.lanes(worker));
        for (int i = 0; i < tokens * share; i++) {
            int token = firstToken(task) + i / share;
            int head = group(task) * share + i % share;
            weigh(worker, row, token, head, at, n, holes, scores + 4L * i * TILE, part, i);
        }
        SumTile.multiply(
                s, scores, 4L * TILE, tokens * share, s, valuesAt(worker), 4L * e.width(), e.width(), n,
                parts(), part, 4L * e.width(), true);
    }

    /** Scores of one query to weights; what was accumulated before is rescaled to the new largest score. */
    private void weigh(
            int worker, int row, int token, int head, int at, int n, boolean holes, long scores, long part, int query) {
        MemorySegment s = workspace.worker();
        MemorySegment parts = parts();
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
        float before = parts.get(FLOAT, largest(part, query));
        float most = Math.max(before, Softmax.max(s, scores, n));
        if (most == Float.NEGATIVE_INFINITY) {
            Zeros.put(s, scores, 4L * n);
            return;
        }
        float sum = Softmax.exp(s, scores, n, most);
        if (most != before) {
            float factor = (float) Math.exp(before - most);
            sum += parts.get(FLOAT, sum(part, query)) * factor;
            long acc = part + 4L * query * e.width();
            Softmax.scale(parts, acc, factor, parts, acc, e.width());
            parts.set(FLOAT, largest(part, query), most);
        } else {
            sum += parts.get(FLOAT, sum(part, query));
        }
        parts.set(FLOAT, sum(part, query), sum);
    }

    /** Keys and values of a tile to F32 scratch; whether a position has none, and zeros in its place. */
    private boolean loadKeys(int worker, int row, int group, int at, int n) {
        boolean holes = false;
        for (int i = 0; i < n; i++) {
            int slot = keys.slot(row, at + i);
            long k = keysAt(worker) + 4L * i * e.depth();
            long v = valuesAt(worker) + 4L * i * e.width();
            if (slot < 0) {
                Zeros.put(workspace.worker(), k, 4L * e.depth());
                Zeros.put(workspace.worker(), v, 4L * e.width());
                holes = true;
            } else {
                long index = (long) slot * e.groups() + group;
                load(worker, o.k(), index * e.depth(), e.depth(), k);
                load(worker, o.v(), index * e.width(), e.width(), v);
            }
        }
        return holes;
    }

    private void load(int worker, Region from, long element, int n, long to) {
        MemorySegment s = from.segment();
        long at = from.offset() + element * o.element().bytes();
        switch (o.element()) {
            case F32 -> MemorySegment.copy(s, at, workspace.worker(), to, 4L * n);
            case F16 -> Dense.widenF16(s, at, n, workspace.worker(), to, workspace, worker);
            case BF16 -> Dense.widenBf16(s, at, n, workspace.worker(), to);
            case I32, U32, BOOL, PACKED -> throw new IllegalStateException("keys of " + o.element());
        }
    }

    private void join(int worker, long from, long to) {
        for (long task = from; task < to; task++) {
            join(task, task * splits * partBytes);
        }
    }

    /** The parts of a task, the first at {@code first}, to its rows of the result. */
    private void join(long task, long first) {
        int tokens = Math.min(tile, e.tokens() - firstToken(task));
        for (int i = 0; i < tokens * share; i++) {
            int head = group(task) * share + i % share;
            long token = (long) row(task) * e.tokens() + firstToken(task) + i / share;
            join(first, i, head, o.out().offset() + 4 * (token * e.heads() + head) * e.width());
        }
    }

    /** Parts that saw nothing hold nothing. */
    private void join(long start, int query, int head, long to) {
        MemorySegment parts = parts();
        float most = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < splits; i++) {
            most = Math.max(most, parts.get(FLOAT, largest(start + i * partBytes, query)));
        }
        MemorySegment out = o.out().segment();
        if (most == Float.NEGATIVE_INFINITY) {
            Zeros.put(out, to, 4L * e.width());
            return;
        }
        float sink = o.sinks().isEmpty()
                ? Float.NEGATIVE_INFINITY : o.sinks().get().segment().get(FLOAT, o.sinks().get().offset() + 4L * head);
        most = Math.max(most, sink);
        double sum = sink == Float.NEGATIVE_INFINITY ? 0 : Math.exp(sink - most);
        for (int i = 0; i < splits; i++) {
            long part = start + i * partBytes;
            sum += parts.get(FLOAT, sum(part, query)) * Math.exp(parts.get(FLOAT, largest(part, query)) - most);
        }
        boolean first = true;
        for (int i = 0; i < splits; i++) {
            long part = start + i * partBytes;
            float own = parts.get(FLOAT, largest(part, query));
            if (own == Float.NEGATIVE_INFINITY) {
                continue;
            }
            float factor = (float) (Math.exp(own - most) / sum);
            long acc = part + 4L * query * e.width();
            if (first) {
                Softmax.scale(parts, acc, factor, out, to, e.width());
                first = false;
            } else {
                Softmax.addScaled(parts, acc, factor, out, to, e.width());
            }
        }
    }
}
