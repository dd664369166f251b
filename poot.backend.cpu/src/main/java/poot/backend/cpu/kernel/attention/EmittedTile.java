package poot.backend.cpu.kernel.attention;

import static poot.backend.cpu.kernel.Lanes.FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import poot.api.executor.ExecutorException;
import poot.backend.cpu.emit.Emitter;
import poot.backend.cpu.ffi.NativeCode;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.x86.Simd;
import poot.backend.cpu.x86.attention.Scores;
import poot.backend.cpu.x86.attention.Values;
import poot.backend.cpu.x86.attention.Weights;
import poot.backend.cpu.x86.attention.Widened;

/**
 * A tile of positions against the queries of one key/value head, by emitted code. Queries are lanes: they are turned once
 * a task, to [depth, queries], and scores are [n, queries].
 */
final class EmittedTile {
    private final int depth;
    private final int width;
    private final int queries;
    private final Simd across;
    private final Simd along;
    private final List<Call> scores = new ArrayList<>();
    private final NativeCode seen;
    private final NativeCode bounded;
    private final List<Call> values = new ArrayList<>();
    private final NativeCode wideKeys;
    private final NativeCode wideValues;

    /** Code for some vectors, the first of them at {@code at} bytes; {@code block} is what it takes at once. */
    private record Call(NativeCode code, int at, int block) {}

    private EmittedTile(Emitter emitter, int used, CacheRows k, CacheRows v, Simd along) throws ExecutorException {
        this.depth = k.width();
        this.width = v.width();
        this.across = used <= Simd.AVX2.lanes() ? Simd.AVX2 : emitter.simd();
        this.along = along;
        this.queries = Math.ceilDiv(used, across.lanes()) * across.lanes();
        for (int from = 0; from < queries / across.lanes(); from += Scores.most(across)) {
            Scores s = new Scores(across, Math.min(Scores.most(across), queries / across.lanes() - from), depth, queries);
            scores.add(new Call(emitter.kernel(s, s::code), from * across.width(), s.block()));
        }
        for (int from = 0; from < width / along.lanes(); from += Values.most(along)) {
            Values s = new Values(along, Math.min(Values.most(along), width / along.lanes() - from), queries, width);
            values.add(new Call(emitter.kernel(s, s::code), from * along.width(), 0));
        }
        Weights free = new Weights(across, queries, false);
        Weights held = new Weights(across, queries, true);
        this.seen = emitter.kernel(free, free::code);
        this.bounded = emitter.kernel(held, held::code);
        this.wideKeys = widened(emitter, k);
        this.wideValues = widened(emitter, v);
    }

    private NativeCode widened(Emitter emitter, CacheRows rows) throws ExecutorException {
        Widened w = new Widened(along, rows.width(), rows.element(), rows.scales().isPresent());
        return emitter.kernel(w, w::code);
    }

    /** The tile for {@code used} queries, where features are whole vectors. */
    static Optional<EmittedTile> of(Emitter emitter, int used, CacheRows k, CacheRows v) throws ExecutorException {
        for (Simd s : List.of(emitter.simd(), Simd.AVX2)) {
            if (k.width() > 0 && v.width() > 0 && k.width() % s.lanes() == 0 && v.width() % s.lanes() == 0) {
                return Optional.of(new EmittedTile(emitter, used, k, v, s));
            }
        }
        return Optional.empty();
    }

    /** Floats of a row of scores: the queries, in whole vectors. */
    int queries() {
        return queries;
    }

    /** {@code count} scaled queries [count, depth] at {@code from} to neighbouring columns of [depth, queries]. */
    void turn(MemorySegment q, long from, int count, float scale, MemorySegment out, long to) {
        for (int d = 0; d < depth; d++) {
            for (int i = 0; i < count; i++) {
                out.set(FLOAT, to + 4L * (d * queries + i), q.get(FLOAT, from + 4L * (i * depth + d)) * scale);
            }
        }
    }

    /** The rows of {@code n} positions, one after another as F32 at {@code to}; zeros where there is no slot. */
    void load(MemorySegment s, Runs runs, long found, CacheRows rows, int worker, int group, int n, long to) {
        NativeCode code = rows == runs.cachedKeys() ? wideKeys : wideValues;
        MemorySegment pool = rows.pool().segment();
        long run = runs.first(found);
        for (int i = 0; i < n; i += runs.length(run), run = runs.next(run)) {
            long at = to + 4L * i * rows.width();
            if (runs.slot(run) < 0) {
                rows.row(worker, -1, group, s, at);
            } else {
                MemorySegment factors = rows.scales().map(Region::segment).orElse(pool);
                code.call(pool, NativeCode.address(pool, rows.at(runs.slot(run), group)), rows.stride(), NativeCode.address(s, at),
                        runs.length(run), NativeCode.address(factors, rows.scalesAt(runs.slot(run), group)), rows.scalesStride(), 0, 0);
            }
        }
    }

    /** Scores [n, queries] of F32 keys where they lie. */
    void scores(MemorySegment s, long turned, Runs runs, long found, CacheRows k, int group, int n, long out) {
        long run = runs.first(found);
        for (int i = 0; i < n; i += runs.length(run), run = runs.next(run)) {
            scores(s, turned, k.pool().segment(), k.at(runs.slot(run), group), k.stride(), runs.length(run), out + 4L * i * queries);
        }
    }

    /** out [used, width] = factors · out + weightsᵀ · v, of F32 values where they lie; the factors are used up. */
    void values(MemorySegment s, long weights, long factors, int used, Runs runs, long found, CacheRows v, int group, int n,
            MemorySegment parts, long out) {
        long run = runs.first(found);
        for (int i = 0; i < n; i += runs.length(run), run = runs.next(run)) {
            for (int q = 0; q < queries && i > 0; q++) {
                s.set(FLOAT, factors + 4L * q, 1f);
            }
            values(s, weights + 4L * i * queries, factors, used, v.pool().segment(), v.at(runs.slot(run), group), v.stride(),
                    runs.length(run), parts, out);
        }
    }

    /** Scores [n, queries] of keys at {@code k}. */
    void scores(MemorySegment s, long turned, MemorySegment k, long kAt, long stride, int n, long out) {
        for (Call c : scores) {
            c.code.call(k, NativeCode.address(s, turned + c.at), NativeCode.address(k, kAt), stride, NativeCode.address(s, out + c.at),
                    n / c.block, n % c.block, 0, 0);
        }
    }

    /**
     * Scores to weights; largest scores, sums and factors are vectors of queries.
     *
     * @param bounds where the bounds of every query lie, if some query does not see all of these positions; else -1
     */
    void weigh(MemorySegment s, long scores, int n, MemorySegment parts, long largest, long sums, long factors, long bounds, int at) {
        for (int from = 0; from < 4 * queries; from += across.width()) {
            (bounds < 0 ? seen : bounded).call(parts, NativeCode.address(s, scores + from), NativeCode.address(parts, largest + from),
                    NativeCode.address(parts, sums + from), NativeCode.address(s, factors + from), n,
                    NativeCode.address(s, Math.max(0, bounds) + from), Float.floatToRawIntBits(at), 0);
        }
    }

    /** out [used, width] = factors · out + weightsᵀ · v. */
    void values(MemorySegment s, long weights, long factors, int used, MemorySegment v, long vAt, long stride, int n,
            MemorySegment parts, long out) {
        for (int q = 0; q < used; q += Values.QUERIES) {
            long row = NativeCode.address(parts, out + 4L * q * width);
            for (Call c : values) {
                c.code.call(v, NativeCode.address(s, weights + 4L * q), NativeCode.address(v, vAt + c.at), stride, row + c.at, n,
                        NativeCode.address(s, factors + 4L * q), 0, 0);
            }
        }
    }
}
