package poot.core.kernel.generate.attention;

import java.util.ArrayList;
import java.util.List;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/** The code of {@link AttendFew}. */
final class FewKernel {
    private final KernelBuilder b;
    private final AttentionSpec spec;
    private final AttendFew shape;
    private final Inputs in;
    private final Outcome out;
    private final int team;
    private final int teams;
    private final int atOnce;
    private final Reg row;
    private final Reg group;
    private final Reg teamOf; // the thread's
    private final Pieces keyPieces;
    private final Pieces valuePieces;
    private final List<Pair> pairs = new ArrayList<>();
    private final SharedArray tops;
    private final SharedArray totals;
    private final SharedArray sums;

    /** A pair: whether it exists (BOOL), its token and head (U32), its position (I32, negative where it sees nothing). */
    private record Pair(Reg exists, Reg token, Reg head, Reg position) {}

    /** The running softmax of one pair: largest score, total, and the thread's sums, by piece. */
    private record Running(Reg top, Reg total, List<Reg> sums) {}

    FewKernel(KernelBuilder b, AttendFew shape, int team) {
        this.b = b;
        this.shape = shape;
        this.spec = shape.spec();
        this.in = new Inputs(b, spec);
        this.out = new Outcome(b, spec, in, shape.part() > 0);
        this.team = team;
        this.teams = b.workgroupSize() / team;
        this.atOnce = shape.atOnce(teams);
        row = b.div(b.workgroupX(), spec.groups());
        group = b.rem(b.workgroupX(), spec.groups());
        teamOf = b.div(b.thread(), team);
        Reg own = b.rem(b.thread(), team);
        keyPieces = new Pieces(b, spec.width(), shape.together(spec.width()), team, own);
        valuePieces = new Pieces(b, spec.valueWidth(), shape.together(spec.valueWidth()), team, own);
        tops = b.shared("tops", MemoryType.F32, b.subgroups());
        totals = b.shared("totals", MemoryType.F32, b.subgroups());
        sums = b.shared("sums", MemoryType.F32, b.subgroups() * spec.valueWidth());
    }

    void write() {
        Reg first = b.mul(b.workgroupY(), shape.pairs());
        Reg begin = b.i32(Integer.MAX_VALUE);
        Reg end = b.i32(0);
        for (int i = 0; i < shape.pairs(); i++) {
            Pair p = pair(b.add(first, i));
            pairs.add(p);
            Reg sees = b.ge(p.position, b.i32(0));
            begin = b.min(begin, b.select(sees, in.firstSeen(p.position), b.i32(Integer.MAX_VALUE)));
            end = b.max(end, b.select(sees, b.add(p.position, 1), b.i32(0)));
        }
        if (spec.view() instanceof AttentionSpec.Whole) {
            begin = b.i32(0);
            end = b.toI32(in.reach());
        }
        // What the workgroup reads: from the first to the last position any of its pairs sees, of its part of the cache.
        end = b.min(end, b.toI32(in.reach()));
        if (shape.part() == 0) {
            part(b.toU32(b.min(begin, end)), b.toU32(end));
            return;
        }
        Reg from = b.toI32(b.mul(out.part(), shape.part()));
        Reg partBegin = b.max(begin, from);
        Reg partEnd = b.min(end, b.add(from, shape.part()));
        b.when(b.lt(partBegin, partEnd), () -> part(b.toU32(partBegin), b.toU32(partEnd)));
    }

    private Pair pair(Reg i) {
        Reg exists = b.lt(i, in.pairs());
        Reg token = b.div(i, spec.each());
        Reg position = b.either(exists, () -> in.position(row, token), () -> b.i32(-1));
        return new Pair(exists, token, b.mad(group, spec.each(), b.rem(i, spec.each())), position);
    }

    /** Attends to positions begin (U32) to end. */
    private void part(Reg begin, Reg end) {
        List<List<Reg>> queries = pairs.stream().map(this::query).toList();
        List<Reg> slopes = pairs.stream().map(p -> b.either(p.exists, () -> in.slope(p.head), () -> b.f32(0))).toList();
        int round = teams * atOnce;
        Reg aligned = b.mul(b.div(begin, round), round);
        List<Reg> state = b.loop(aligned, end, round, initial(), (from, carried) ->
                registers(round(from, begin, end, queries, slopes, runnings(carried))));
        List<Running> found = joinTeams(runnings(state));
        for (int i = 0; i < pairs.size(); i++) {
            if (i > 0) {
                b.barrier();
            }
            joinSubgroups(pairs.get(i), found.get(i));
        }
    }

    private List<Reg> query(Pair p) {
        List<Reg> all = new ArrayList<>();
        for (int i = 0; i < keyPieces.count(); i++) {
            all.addAll(keyPieces.load(i, p.exists, first -> in.query(row, p.token, p.head, first, keyPieces.together())));
        }
        return all;
    }

    // The running softmax as registers

    private List<Reg> initial() {
        List<Running> all = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            all.add(new Running(b.f32(Inputs.LOWEST), b.f32(0), valuePieces.zeros(valuePieces.count() * valuePieces.together())));
        }
        return registers(all);
    }

    private static List<Reg> registers(List<Running> all) {
        List<Reg> out = new ArrayList<>();
        for (Running r : all) {
            out.add(r.top);
            out.add(r.total);
            out.addAll(r.sums);
        }
        return out;
    }

    private static List<Running> runnings(List<Reg> registers, int each) {
        List<Running> out = new ArrayList<>();
        for (int i = 0; i < registers.size(); i += each) {
            out.add(new Running(registers.get(i), registers.get(i + 1), registers.subList(i + 2, i + each)));
        }
        return out;
    }

    private List<Running> runnings(List<Reg> registers) {
        return runnings(registers, 2 + valuePieces.count() * valuePieces.together());
    }

    // One round of keys

    /** A key of the team: its position and slot (I32), and whether its features are read (BOOL). */
    private record Key(Reg position, Reg slot, Reg read) {}

    private List<Running> round(Reg from, Reg begin, Reg end, List<List<Reg>> queries, List<Reg> slopes, List<Running> before) {
        List<Key> keys = new ArrayList<>();
        List<List<Reg>> scores = new ArrayList<>(); // by key, then pair
        for (int u = 0; u < atOnce; u++) {
            Key k = key(b.add(b.add(from, u * teams), teamOf), begin, end);
            keys.add(k);
            scores.add(scores(k, queries, slopes));
        }
        List<Running> out = new ArrayList<>();
        List<List<Reg>> weights = new ArrayList<>(); // by pair, then key
        for (int i = 0; i < pairs.size(); i++) {
            weights.add(new ArrayList<>());
            out.add(weigh(i, keys, scores, before.get(i), weights.get(i)));
        }
        for (int u = 0; u < atOnce; u++) {
            out = addValues(keys.get(u), u, weights, out);
        }
        return out;
    }

    private Key key(Reg j, Reg begin, Reg end) {
        Reg within = b.and(b.ge(j, begin), b.lt(j, end));
        Reg slot = b.either(within, () -> in.slot(row, j), () -> b.i32(-1));
        return new Key(b.toI32(j), slot, in.exists(slot));
    }

    private List<Reg> scores(Key k, List<List<Reg>> queries, List<Reg> slopes) {
        List<Reg> products = new ArrayList<>();
        queries.forEach(q -> products.add(b.f32(0)));
        int n = keyPieces.together();
        Features features = in.keys();
        for (int piece = 0; piece < keyPieces.count(); piece++) {
            List<Reg> x = keyPieces.load(piece, k.read, first ->
                    features.load(b.toU32(k.slot), b.mad(group, spec.width(), first), n));
            for (int i = 0; i < queries.size(); i++) {
                Reg sum = products.get(i);
                for (int e = 0; e < n; e++) {
                    sum = b.fma(queries.get(i).get(piece * n + e), x.get(e), sum);
                }
                products.set(i, sum);
            }
        }
        List<Reg> out = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            Reg product = products.get(i);
            for (int mask = 1; mask < team; mask *= 2) {
                product = b.add(product, b.shuffleXor(product, mask));
            }
            out.add(in.score(product, k.position, pairs.get(i).position, slopes.get(i)));
        }
        return out;
    }

    /** The state of pair i with the keys' scores in it, values left out; adds what each key weighs. */
    private Running weigh(int i, List<Key> keys, List<List<Reg>> scores, Running before, List<Reg> weights) {
        List<Reg> seen = new ArrayList<>();
        Reg top = before.top;
        for (int u = 0; u < keys.size(); u++) {
            seen.add(in.seen(keys.get(u).position, pairs.get(i).position, keys.get(u).slot));
            top = b.max(top, b.select(seen.get(u), scores.get(u).get(i), b.f32(Inputs.LOWEST)));
        }
        Reg rescale = b.exp2(b.sub(before.top, top));
        Reg total = b.mul(before.total, rescale);
        for (int u = 0; u < keys.size(); u++) {
            Reg weight = b.select(seen.get(u), b.exp2(b.sub(scores.get(u).get(i), top)), b.f32(0));
            weights.add(weight);
            total = b.add(total, weight);
        }
        return new Running(top, total, before.sums.stream().map(x -> b.mul(x, rescale)).toList());
    }

    private List<Running> addValues(Key k, int u, List<List<Reg>> weights, List<Running> before) {
        List<List<Reg>> sums = before.stream().map(r -> (List<Reg>) new ArrayList<>(r.sums)).toList();
        int n = valuePieces.together();
        Features features = in.values();
        for (int piece = 0; piece < valuePieces.count(); piece++) {
            List<Reg> x = valuePieces.load(piece, k.read, first ->
                    features.load(b.toU32(k.slot), b.mad(group, spec.valueWidth(), first), n));
            for (int i = 0; i < sums.size(); i++) {
                for (int e = 0; e < n; e++) {
                    int at = piece * n + e;
                    sums.get(i).set(at, b.fma(weights.get(i).get(u), x.get(e), sums.get(i).get(at)));
                }
            }
        }
        List<Running> out = new ArrayList<>();
        for (int i = 0; i < sums.size(); i++) {
            out.add(new Running(before.get(i).top, before.get(i).total, sums.get(i)));
        }
        return out;
    }

    // Joining

    /** Joins the teams of a subgroup: afterwards all of its threads have the whole of their features. */
    private List<Running> joinTeams(List<Running> all) {
        List<Running> out = all;
        for (int mask = team; mask < b.subgroupSize(); mask *= 2) {
            int across = mask;
            out = out.stream().map(r -> join(r, across)).toList();
        }
        return out;
    }

    private Running join(Running r, int mask) {
        Reg other = b.shuffleXor(r.top, mask);
        Reg top = b.max(r.top, other);
        Reg mine = b.exp2(b.sub(r.top, top));
        Reg theirs = b.exp2(b.sub(other, top));
        List<Reg> joined = new ArrayList<>();
        for (Reg x : r.sums) {
            joined.add(b.add(b.mul(x, mine), b.mul(b.shuffleXor(x, mask), theirs)));
        }
        return new Running(top, b.add(b.mul(r.total, mine), b.mul(b.shuffleXor(r.total, mask), theirs)), joined);
    }

    /** Joins the subgroups in order, and leaves the outcome of a pair. */
    private void joinSubgroups(Pair p, Running r) {
        int n = valuePieces.together();
        b.when(b.lt(b.lane(), b.u32(team)), () -> {
            b.when(b.eq(b.lane(), 0), () -> {
                b.store(tops, b.subgroup(), r.top);
                b.store(totals, b.subgroup(), r.total);
            });
            for (int i = 0; i < valuePieces.count(); i++) {
                Reg at = b.mad(b.subgroup(), spec.valueWidth(), valuePieces.first(i));
                List<Reg> piece = r.sums.subList(i * n, (i + 1) * n);
                b.when(valuePieces.exists(i), () -> {
                    for (int k = 0; k < n; k += 4) {
                        b.store(sums, b.add(at, k), piece.subList(k, Math.min(k + 4, n)));
                    }
                });
            }
        });
        b.barrier();
        Reg top = b.load(tops, b.u32(0));
        for (int s = 1; s < b.subgroups(); s++) {
            top = b.max(top, b.load(tops, b.u32(s)));
        }
        List<Reg> factors = new ArrayList<>();
        Reg total = b.f32(0);
        for (int s = 0; s < b.subgroups(); s++) {
            factors.add(b.exp2(b.sub(b.load(tops, b.u32(s)), top)));
            total = b.fma(b.load(totals, b.u32(s)), factors.get(s), total);
        }
        leave(p, top, total, factors);
    }

    private void leave(Pair p, Reg top, Reg total, List<Reg> factors) {
        b.when(p.exists, () -> {
            b.when(b.eq(b.thread(), 0), () -> out.mark(row, p.token, p.head, top, total));
            Reg share = out.share(top, total, p.head);
            b.loop(b.thread(), b.u32(spec.valueWidth()), b.workgroupSize(), feature -> {
                Reg sum = b.f32(0);
                for (int s = 0; s < factors.size(); s++) {
                    Reg part = b.load(sums, b.add(feature, s * spec.valueWidth()));
                    sum = b.fma(part, factors.get(s), sum);
                }
                out.store(row, p.token, p.head, feature, List.of(sum), share);
            });
        });
    }
}
