package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.backend.cpu.emit.Emitter;
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
 * head; a single token's task has them all, so that the cache is read from one end to the other, or fewer where workers
 * would have nothing to do.
 *
 * <p>The law: what a query gives depends on the query, its position and what lies at the positions it sees alone. Tiles
 * begin at multiples of their length; positions a query does not see weigh nothing; the tiles of each of the
 * {@link Stretches} are accumulated in their order, then the stretches are joined in theirs; all of it is finite. Where a row
 * has few tasks workers share its stretches and a second pass joins them; otherwise a task joins each as it was made.
 */
public final class Attention implements Step {
    /** Positions of a tile: a whole number of vectors of any width. */
    private static final int TILE = 64;
    /** Query rows (tokens times heads of a group) that read a key together. */
    private static final int QUERIES = 64;
    /** Query rows for which keys and values are read where they lie. */
    private static final int FEW = 16;
    /** Positions of a tile that are walked or left out together: a whole number of vectors of any width. */
    private static final int STEP = 16;
    /** Tasks of a row below which its stretches are shared: not for every row, since each stretch is kept until it is joined. */
    private static final int TASKS = 9;

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
     * @param cache   keys and values
     * @param slopes  F32 [H]
     * @param sinks   F32 [H]
     * @param out     F32 [R, T, H, Dv]
     */
    public record Operands(Region q, Cache cache, Optional<Region> slopes, Optional<Region> sinks, Region out) {}

    private final Extents e;
    private final Operands o;
    private final Keys keys;
    private final CacheRows cachedKeys;
    private final CacheRows cachedValues;
    private final Runs runs;
    private final Workspace workspace;
    private final int share;
    private final List<Cut> cuts;
    private final Optional<EmittedTile> emitted;
    private final int queries;
    private final Stretches stretches;
    /** Stretches of a row that can be shared; 1 where they are not. */
    private final int most;
    /** Of this run: key/value heads of a task. */
    private Cut cut;
    /** Of this run: stretches of a row that are shared; 1 where a task walks all of them. */
    private int splits = 1;
    private final Work walk = this::walk;
    private final Work join = this::join;

    /** Prepared over the given operands, with code of {@code emitter} where there is one and it has some for the extents. */
    public Attention(Extents e, Operands o, Keys keys, Workspace workspace, Optional<Emitter> emitter) throws ExecutorException {
        this.e = e;
        this.o = o;
        this.keys = keys;
        this.cachedKeys = o.cache().keys(e, workspace);
        this.cachedValues = o.cache().values(e, workspace);
        this.workspace = workspace;
        this.runs = new Runs(keys, cachedKeys, cachedValues, workspace);
        this.share = e.heads() / e.groups();
        int tile = Math.clamp(QUERIES / share, 1, e.tokens());
        this.emitted = emitter.isPresent() ? EmittedTile.of(emitter.get(), tile * share, cachedKeys, cachedValues) : Optional.empty();
        this.queries = emitted.isPresent() ? emitted.get().queries() : tile * share;
        this.stretches = new Stretches(keys.window() > 0);
        this.cuts = Cut.all(e, queries, tile);
        this.cut = cuts.getFirst();
        this.most = cut.tasks().perRow() < TASKS ? Math.max(1, stretches(tile)) : 1;
        workspace.reserveWorker(partAt(0) - queryAt(0) + 2 * cut.parts().bytes());
        workspace.reserveShared(most == 1 ? 0 : cut.parts().bytes() * cut.tasks().count() * most);
    }

    /** Stretches that the positions {@code tokens} neighbours see can lie in. */
    private int stretches(int tokens) {
        int all = stretches.count(keys.capacity());
        return keys.window() == 0 ? all : (int) Math.min(all, ((long) keys.window() + tokens) / Stretches.LEAST + 2);
    }

    @Override
    public void run(Team team) {
        splits = splits(cuts.getFirst().tasks());
        cut = Cut.forWorkers(cuts, team.size(), splits);
        team.run(walk, cut.tasks().count() * splits, 1);
        if (splits > 1) {
            team.run(join, cut.tasks().count(), Math.max(1, 4096 / Math.max(1, cut.span() * queries * e.width())));
        }
    }

    /** Stretches of a row that are shared now. */
    private int splits(Tasks tasks) {
        int out = 1;
        for (long task = 0; most > 1 && task < tasks.count(); task++) {
            int end = tasks.end(keys, task);
            out = end == 0 ? out : Math.max(out, stretches.of(end - 1) - stretches.of(tasks.first(keys, task)) + 1);
        }
        return out > most ? 1 : out;
    }

    // ---- scratch of a worker ----

    private MemorySegment parts() {
        return splits == 1 ? workspace.worker() : workspace.shared();
    }

    private long queryAt(int worker) {
        return workspace.workerAt(worker);
    }

    private long scoresAt(int worker) {
        return queryAt(worker) + 4L * cuts.getFirst().span() * queries * e.depth();
    }

    private long keysAt(int worker) {
        return scoresAt(worker) + 4L * queries * TILE;
    }

    private long valuesAt(int worker) {
        return keysAt(worker) + 4L * TILE * e.depth();
    }

    private long factorsAt(int worker) {
        return valuesAt(worker) + 4L * TILE * e.width();
    }

    /** The bounds of queries: one past the last position each sees, then the first. */
    private long boundsAt(int worker) {
        return factorsAt(worker) + 4L * queries;
    }

    private long runsAt(int worker) {
        return boundsAt(worker) + 8L * queries;
    }

    private long partAt(int worker) {
        return runsAt(worker) + Runs.bytes(TILE);
    }

    // ---- the walk over positions ----

    private void walk(int worker, long from, long to) {
        Tasks tasks = cut.tasks();
        Parts parts = cut.parts();
        for (long item = from; item < to; item++) {
            long task = item / splits;
            int end = tasks.end(keys, task);
            int stretch = end == 0 ? 0 : stretches.of(tasks.first(keys, task));
            if (splits > 1) {
                long part = item * parts.bytes();
                parts.clear(parts(), part);
                stretch(worker, task, stretch + (int) (item % splits), part);
            } else {
                parts.clear(parts(), partAt(worker));
                for (int last = stretches.count(end), i = stretch; i < last; i++) {
                    long part = partAt(worker) + (i > stretch ? parts.bytes() : 0);
                    parts.clear(parts(), part);
                    stretch(worker, task, i, part);
                    if (i > stretch) {
                        cut.fold(parts(), task, partAt(worker), part);
                    }
                }
                cut.finish(parts(), task, partAt(worker), o);
            }
        }
    }

    /** What the positions of one stretch give the queries of a task, to a cleared part. */
    private void stretch(int worker, long task, int stretch, long part) {
        Tasks tasks = cut.tasks();
        int row = tasks.row(task);
        int tokens = tasks.tokens(task);
        int begin = (int) Math.min(Integer.MAX_VALUE, Math.max(stretches.begin(stretch), tasks.first(keys, task) & -STEP));
        int stop = (int) Math.min(stretches.begin(stretch + 1), tasks.end(keys, task));
        int allFirst = tasks.lastFirst(keys, task);
        int allEnd = tasks.firstEnd(keys, task);
        if (begin < stop) {
            cut.parts().begin(parts(), part);
            loadQueries(worker, task, tokens);
        }
        for (int at = begin; at < stop; at = (at & -TILE) + TILE) {
            int n = Math.min((at & -TILE) + TILE, stop) - at;
            boolean whole = keys.run(row, at, n) == n;
            if (whole && together()) {
                int slot = keys.slot(row, at);
                workspace.wide(worker)[0] = cachedKeys.touch(slot, n) + cachedValues.touch(slot, n);
            }
            boolean seen = at >= allFirst && at + n <= allEnd;
            for (int g = 0; g < cut.span(); g++) {
                if (emitted.isPresent()) {
                    emitted(emitted.get(), worker, task, g, tokens, at, n, whole, seen, part);
                } else {
                    tile(worker, task, g, tokens, at, n, whole, part);
                }
            }
        }
    }

    /** Whether a task has all key/value heads, and more than one. */
    private boolean together() {
        return cut.span() > 1 && cut.span() == e.groups();
    }

    private void loadQueries(int worker, long task, int tokens) {
        Tasks tasks = cut.tasks();
        MemorySegment s = workspace.worker();
        Zeros.put(s, queryAt(worker), 4L * cut.span() * queries * e.depth());
        for (int g = 0; g < cut.span(); g++) {
            long to = queryAt(worker) + 4L * g * queries * e.depth();
            for (int t = 0; t < tokens; t++) {
                long from = tasks.head(o.q(), task, g, t, e.depth());
                if (emitted.isPresent()) {
                    emitted.get().turn(o.q().segment(), from, share, e.scale(), s, to + 4L * t * share);
                } else {
                    Softmax.scale(o.q().segment(), from, e.scale(), s, to + 4L * t * share * e.depth(), share * e.depth());
                }
            }
        }
        for (int i = 0; emitted.isPresent() && i < tokens * share; i++) {
            int token = tasks.firstToken(task) + i / share;
            s.set(FLOAT, boundsAt(worker) + 4L * i, keys.end(tasks.row(task), token));
            s.set(FLOAT, boundsAt(worker) + 4L * (queries + i), keys.first(tasks.row(task), token));
        }
    }

    // ---- a tile by emitted code ----

    private void emitted(
            EmittedTile t, int worker, long task, int g, int tokens, int at, int n, boolean whole, boolean seen, long part) {
        Parts parts = cut.parts();
        int row = cut.tasks().row(task);
        int group = cut.tasks().firstGroup(task) + g;
        int m = tokens * share;
        MemorySegment s = workspace.worker();
        long scores = scoresAt(worker);
        long found = runsAt(worker);
        if (g == 0) {
            runs.find(worker, found, row, at, n, !whole && together());
        }
        boolean direct = !runs.holes(found) && m <= FEW && cachedKeys.direct();
        long turned = queryAt(worker) + 4L * g * queries * e.depth();
        if (direct) {
            t.scores(s, turned, runs, found, cachedKeys, group, n, scores);
        } else {
            t.load(s, runs, found, cachedKeys, worker, group, n, keysAt(worker));
            t.load(s, runs, found, cachedValues, worker, group, n, valuesAt(worker));
            t.scores(s, turned, s, keysAt(worker), 4L * e.depth(), n, scores);
        }
        adjust(scores, task, group, m, at, n, runs.holes(found));
        int first = g * queries;
        t.weigh(s, scores, n, parts(), parts.largest(part, first), parts.sum(part, first), factorsAt(worker),
                seen ? -1 : boundsAt(worker), at);
        if (direct) {
            t.values(s, scores, factorsAt(worker), m, runs, found, cachedValues, group, n, parts(), parts.row(part, first));
        } else {
            t.values(s, scores, factorsAt(worker), m, s, valuesAt(worker), 4L * e.width(), n, parts(), parts.row(part, first));
        }
    }

    /** Softcap, distances and missing positions, in scores [n, queries]. */
    private void adjust(long scores, long task, int group, int m, int at, int n, boolean holes) {
        MemorySegment s = workspace.worker();
        Tasks tasks = cut.tasks();
        int row = tasks.row(task);
        if (e.cap() > 0) {
            Softmax.cap(s, scores, n * queries, e.cap());
        }
        for (int i = 0; o.slopes().isPresent() && i < m; i++) {
            Region slopes = o.slopes().get();
            float slope = slopes.segment().get(FLOAT, slopes.offset() + 4L * (group * share + i % share));
            int distance = at - keys.position(row, tasks.firstToken(task) + i / share);
            for (int j = 0; j < n; j++) {
                long place = scores + 4L * ((long) j * queries + i);
                s.set(FLOAT, place, s.get(FLOAT, place) + slope * (distance + j));
            }
        }
        for (int j = 0; holes && j < n; j++) {
            for (int i = 0; i < queries && keys.slot(row, at + j) < 0; i++) {
                s.set(FLOAT, scores + 4L * ((long) j * queries + i), Float.NEGATIVE_INFINITY);
            }
        }
    }

    // ---- a tile by vectors ----

    /** The queries of a task's group {@code g} against {@code n} positions, whose slots are consecutive where {@code whole}. */
    private void tile(int worker, long task, int g, int tokens, int at, int n, boolean whole, long part) {
        Tasks tasks = cut.tasks();
        int row = tasks.row(task);
        int group = tasks.firstGroup(task) + g;
        int first = keys.slot(row, at);
        boolean holes = !whole && keys.holes(row, at, n);
        MemorySegment s = workspace.worker();
        long q = queryAt(worker) + 4L * g * queries * e.depth();
        long scores = scoresAt(worker);
        int m = tokens * share;
        boolean direct = m == 1 && whole && cachedKeys.direct();
        for (int i = 0; !direct && i < n; i++) {
            cachedKeys.row(worker, whole ? first + i : keys.slot(row, at + i), group, s, keysAt(worker) + 4L * i * e.depth());
        }
        for (int i = 0; i < m; i++) {
            ScoreTile.multiply(s, q + 4L * i * e.depth(), direct ? cachedKeys.pool().segment() : s,
                    direct ? cachedKeys.at(first, group) : keysAt(worker), direct ? cachedKeys.stride() : 4L * e.depth(),
                    n, e.depth(), s, scores + 4L * i * TILE);
        }
        for (int i = 0; i < m; i++) {
            int token = tasks.firstToken(task) + i / share;
            weigh(row, token, group * share + i % share, at, n, holes, scores + 4L * i * TILE, part, g * queries + i);
        }
        direct = m == 1 && whole && cachedValues.direct();
        for (int i = 0; !direct && i < n; i++) {
            cachedValues.row(worker, whole ? first + i : keys.slot(row, at + i), group, s, valuesAt(worker) + 4L * i * e.width());
        }
        SumTile.multiply(s, scores, 4L * TILE, m,
                direct ? cachedValues.pool().segment() : s, direct ? cachedValues.at(first, group) : valuesAt(worker),
                direct ? cachedValues.stride() : 4L * e.width(), e.width(), n,
                parts(), cut.parts().row(part, g * queries), 4L * e.width(), true);
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
        Parts parts = cut.parts();
        float most = Math.max(parts().get(FLOAT, parts.largest(part, query)), Softmax.max(s, scores, n));
        parts.grow(parts(), part, query, most, Softmax.exp(s, scores, n, most));
    }

    // ---- the join of parts ----

    private void join(int worker, long from, long to) {
        for (long task = from; task < to; task++) {
            long total = task * splits * cut.parts().bytes();
            for (int i = 1; i < splits; i++) {
                cut.fold(parts(), task, total, total + i * cut.parts().bytes());
            }
            cut.finish(parts(), task, total, o);
        }
    }
}
