package poot.core.kernel.generate.attention;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.generate.attention.AttendMany.Tile;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/** The code of {@link AttendMany}. */
final class ManyKernel {
    private final KernelBuilder b;
    private final AttentionSpec spec;
    private final int part;
    private final Tile tile;
    private final Inputs in;
    private final Outcome out;
    private final Staging staging;
    private final SharedArray weights; // [pairs, keys + 4], where queries and keys were staged
    private final Reg row;
    private final Reg group;
    private final Reg firstPair;
    private final Reg x; // the thread's place across
    private final Reg y; // and down
    private final int columns; // pieces of a value, of 4 features a thread

    /** A pair of the thread: whether it exists (BOOL), its token and head (U32), its position (I32), its slope. */
    private record Pair(Reg exists, Reg token, Reg head, Reg position, Reg slope) {}

    /** The running softmax of the thread's pairs: largest score and total of each; sums [pair][column][4]. */
    private record Running(List<Reg> tops, List<Reg> totals, List<Reg> sums) {}

    ManyKernel(KernelBuilder b, AttendMany kernel, Tile tile) {
        this.b = b;
        this.spec = kernel.spec();
        this.part = kernel.part();
        this.tile = tile;
        in = new Inputs(b, spec);
        out = new Outcome(b, spec, in, part > 0);
        row = b.div(b.workgroupX(), spec.groups());
        group = b.rem(b.workgroupX(), spec.groups());
        firstPair = b.mul(b.workgroupY(), tile.pairs());
        x = b.rem(b.thread(), tile.across());
        y = b.div(b.thread(), tile.across());
        staging = new Staging(b, spec, tile, in, row, group, firstPair);
        weights = staging.shared();
        columns = (spec.valueWidth() + tile.across() * 4 - 1) / (tile.across() * 4);
    }

    void write() {
        Reg begin = b.i32(0);
        Reg end = b.toI32(in.reach());
        if (spec.view() instanceof AttentionSpec.Cached) {
            List<Reg> range = range();
            begin = b.min(range.get(0), range.get(1));
            end = b.min(range.get(1), end);
        }
        if (part == 0) {
            attend(b.toU32(begin), b.toU32(end));
            return;
        }
        Reg from = b.toI32(b.mul(out.part(), part));
        Reg partBegin = b.max(begin, from);
        Reg partEnd = b.min(end, b.add(from, part));
        b.when(b.lt(partBegin, partEnd), () -> attend(b.toU32(partBegin), b.toU32(partEnd)));
    }

    /** The first position that any token of the tile sees, and the one after the last; I32. */
    private List<Reg> range() {
        Reg last = b.min(b.add(firstPair, tile.pairs()), in.pairs());
        Reg to = b.div(b.add(last, spec.each() - 1), spec.each());
        return b.loop(b.div(firstPair, spec.each()), to, 1, List.of(b.i32(Integer.MAX_VALUE), b.i32(0)), (token, x) -> {
            Reg position = in.position(row, token);
            Reg sees = b.ge(position, b.i32(0));
            Reg first = b.select(sees, in.firstSeen(position), b.i32(Integer.MAX_VALUE));
            return List.of(b.min(x.get(0), first), b.max(x.get(1), b.select(sees, b.add(position, 1), b.i32(0))));
        });
    }

    /** Attends to positions begin (U32) to end. */
    private void attend(Reg begin, Reg end) {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < Tile.EACH; i++) {
            pairs.add(pair(b.add(b.add(firstPair, y), i * tile.down())));
        }
        Reg aligned = b.mul(b.div(begin, tile.keys()), tile.keys());
        List<Reg> state = b.loop(aligned, end, tile.keys(), registers(initial()), (from, carried) ->
                registers(step(from, begin, end, pairs, running(carried))));
        Running found = running(state);
        for (int i = 0; i < Tile.EACH; i++) {
            leave(pairs.get(i), i, found);
        }
    }

    private Pair pair(Reg i) {
        Reg exists = b.lt(i, in.pairs());
        Reg token = b.div(i, spec.each());
        Reg head = b.mad(group, spec.each(), b.rem(i, spec.each()));
        Reg position = b.either(exists, () -> in.position(row, token), () -> b.i32(-1));
        return new Pair(exists, token, head, position, b.either(exists, () -> in.slope(head), () -> b.f32(0)));
    }

    private Running initial() {
        List<Reg> tops = new ArrayList<>();
        List<Reg> zeros = new ArrayList<>();
        for (int i = 0; i < Tile.EACH; i++) {
            tops.add(b.f32(Inputs.LOWEST));
            zeros.add(b.f32(0));
        }
        List<Reg> sums = new ArrayList<>();
        for (int i = 0; i < Tile.EACH * columns * 4; i++) {
            sums.add(b.f32(0));
        }
        return new Running(tops, zeros, sums);
    }

    private static List<Reg> registers(Running r) {
        List<Reg> all = new ArrayList<>(r.tops);
        all.addAll(r.totals);
        all.addAll(r.sums);
        return all;
    }

    private static Running running(List<Reg> registers) {
        int n = Tile.EACH;
        return new Running(registers.subList(0, n), registers.subList(n, 2 * n), registers.subList(2 * n, registers.size()));
    }

    /** One tile of keys. */
    private Running step(Reg from, Reg begin, Reg end, List<Pair> pairs, Running before) {
        b.barrier();
        staging.places(from, begin, end);
        b.barrier();
        List<Reg> scores = scores();
        List<Reg> tops = new ArrayList<>();
        List<Reg> totals = new ArrayList<>();
        List<Reg> rescales = new ArrayList<>();
        List<Reg> shares = new ArrayList<>(); // [pair][key]
        for (int i = 0; i < Tile.EACH; i++) {
            weigh(from, pairs.get(i), scores.subList(i * Tile.EACH, (i + 1) * Tile.EACH), before.tops.get(i), tops, rescales, shares);
            Reg sum = b.f32(0);
            for (int j = 0; j < Tile.EACH; j++) {
                sum = b.add(sum, shares.get(i * Tile.EACH + j));
            }
            for (int mask = 1; mask < tile.across(); mask *= 2) {
                sum = b.add(sum, b.shuffleXor(sum, mask));
            }
            totals.add(b.fma(before.totals.get(i), rescales.get(i), sum));
        }
        b.barrier();
        for (int i = 0; i < Tile.EACH; i++) {
            for (int j = 0; j < Tile.EACH; j++) {
                b.store(weights, b.mad(pairAt(i), weightStride(), keyAt(j)), shares.get(i * Tile.EACH + j));
            }
        }
        List<Reg> sums = new ArrayList<>();
        for (int i = 0; i < before.sums.size(); i++) {
            sums.add(b.mul(before.sums.get(i), rescales.get(i / (columns * 4))));
        }
        return new Running(tops, totals, values(sums));
    }

    private Reg pairAt(int i) {
        return b.add(y, i * tile.down());
    }

    private Reg keyAt(int j) {
        return b.add(x, j * tile.across());
    }

    private int weightStride() {
        return tile.keys() + 4;
    }

    /** Products of the thread's pairs and keys, [pair][key]: features in order, a stage of them at a time. */
    private List<Reg> scores() {
        List<Reg> sums = new ArrayList<>();
        for (int i = 0; i < Tile.EACH * Tile.EACH; i++) {
            sums.add(b.f32(0));
        }
        int whole = spec.width() / Staging.FEATURES;
        int rest = spec.width() - whole * Staging.FEATURES;
        List<Reg> out = sums;
        if (whole > 0) {
            out = b.loop(b.u32(0), b.u32(whole), 1, sums, (stage, s) -> stage(b.mul(stage, Staging.FEATURES), Staging.FEATURES, s));
        }
        return rest == 0 ? out : stage(b.u32(whole * Staging.FEATURES), rest, out);
    }

    private List<Reg> stage(Reg first, int features, List<Reg> before) {
        b.barrier();
        staging.queriesAndKeys(first, features);
        b.barrier();
        return b.loop(b.u32(0), b.u32((features + 3) / 4 * 4), 4, before, (f, s) -> {
            List<List<Reg>> q = new ArrayList<>();
            List<List<Reg>> k = new ArrayList<>();
            for (int i = 0; i < Tile.EACH; i++) {
                q.add(staging.query(pairAt(i), f));
                k.add(staging.key(keyAt(i), f));
            }
            List<Reg> next = new ArrayList<>();
            for (int i = 0; i < Tile.EACH; i++) {
                for (int j = 0; j < Tile.EACH; j++) {
                    next.add(dot(q.get(i), k.get(j), s.get(i * Tile.EACH + j)));
                }
            }
            return next;
        });
    }

    private Reg dot(List<Reg> a, List<Reg> c, Reg sum) {
        Reg out = sum;
        for (int e = 0; e < a.size(); e++) {
            out = b.fma(a.get(e), c.get(e), out);
        }
        return out;
    }

    /** Adds the pair's largest score so far, what its sums are multiplied with, and its keys' weights. */
    private void weigh(Reg from, Pair p, List<Reg> products, Reg before, List<Reg> tops, List<Reg> rescales, List<Reg> shares) {
        List<Reg> seen = new ArrayList<>();
        List<Reg> scores = new ArrayList<>();
        Reg top = before;
        for (int j = 0; j < Tile.EACH; j++) {
            Reg position = b.toI32(b.add(from, keyAt(j)));
            seen.add(in.seen(position, p.position, staging.place(keyAt(j))));
            scores.add(in.score(products.get(j), position, p.position, p.slope));
            top = b.max(top, b.select(seen.get(j), scores.get(j), b.f32(Inputs.LOWEST)));
        }
        for (int mask = 1; mask < tile.across(); mask *= 2) {
            top = b.max(top, b.shuffleXor(top, mask));
        }
        tops.add(top);
        rescales.add(b.exp2(b.sub(before, top)));
        for (int j = 0; j < Tile.EACH; j++) {
            shares.add(b.select(seen.get(j), b.exp2(b.sub(scores.get(j), top)), b.f32(0)));
        }
    }

    /** Sums with the tile's values in them, by their weights. */
    private List<Reg> values(List<Reg> before) {
        List<Reg> sums = new ArrayList<>(before);
        boolean first = true;
        for (int column = 0; column < columns; column++) {
            for (int keys = 0; keys < tile.keys(); keys += staging.valueKeys()) {
                if (!first) {
                    b.barrier();
                }
                first = false;
                staging.values(keys, column);
                b.barrier();
                add(sums, keys, column);
            }
        }
        return sums;
    }

    private void add(List<Reg> sums, int keys, int column) {
        List<Reg> own = new ArrayList<>(); // [pair][4]
        for (int i = 0; i < Tile.EACH; i++) {
            int at = (i * columns + column) * 4;
            own.addAll(sums.subList(at, at + 4));
        }
        List<Reg> next = b.loop(b.u32(0), b.u32(staging.valueKeys()), 4, own, (k, s) -> {
            List<Reg> out = new ArrayList<>(s);
            List<List<Reg>> v = new ArrayList<>();
            for (int u = 0; u < 4; u++) {
                v.add(staging.value(b.add(k, u), x));
            }
            for (int i = 0; i < Tile.EACH; i++) {
                List<Reg> w = b.load(weights, b.add(b.mad(pairAt(i), weightStride(), k), keys), 4);
                for (int u = 0; u < 4; u++) {
                    for (int e = 0; e < 4; e++) {
                        out.set(i * 4 + e, b.fma(w.get(u), v.get(u).get(e), out.get(i * 4 + e)));
                    }
                }
            }
            return out;
        });
        for (int i = 0; i < next.size(); i++) {
            sums.set((i / 4 * columns + column) * 4 + i % 4, next.get(i));
        }
    }

    private void leave(Pair p, int i, Running found) {
        b.when(p.exists, () -> {
            b.when(b.eq(x, 0), () -> out.mark(row, p.token, p.head, found.tops.get(i), found.totals.get(i)));
            Reg share = out.share(found.tops.get(i), found.totals.get(i), p.head);
            for (int column = 0; column < columns; column++) {
                int at = (i * columns + column) * 4;
                Reg feature = b.add(b.mul(x, 4), column * tile.across() * 4);
                List<Reg> sums = found.sums.subList(at, at + 4);
                if (spec.valueWidth() % 4 == 0) {
                    b.when(b.lt(feature, b.u32(spec.valueWidth())), () -> out.store(row, p.token, p.head, feature, sums, share));
                } else {
                    for (int e = 0; e < 4; e++) {
                        Reg one = b.add(feature, e);
                        Reg sum = sums.get(e);
                        b.when(b.lt(one, b.u32(spec.valueWidth())), () -> out.store(row, p.token, p.head, one, List.of(sum), share));
                    }
                }
            }
        });
    }
}
