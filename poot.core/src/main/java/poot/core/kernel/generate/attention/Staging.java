package poot.core.kernel.generate.attention;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import poot.core.kernel.generate.attention.AttendMany.Tile;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.SharedArray;

/**
 * The shared memory of {@link ManyKernel}: the slots of a tile of keys; queries and keys, some features at a time, where
 * afterwards the weights lie; values, some keys and features at a time. Rows are 4 elements longer than they are used, so
 * that a quarter of a subgroup reading four elements each of different rows meets different banks.
 */
final class Staging {
    /** Features of queries and keys staged at a time. */
    static final int FEATURES = 32;
    private static final int STRIDE = FEATURES + 4;
    private static final int VALUE_KEYS = 32;
    private final KernelBuilder b;
    private final AttentionSpec spec;
    private final Tile tile;
    private final Inputs in;
    private final Reg row;
    private final Reg group;
    private final Reg firstPair;
    private final SharedArray places; // I32 [keys]
    private final SharedArray shared; // F32
    private final SharedArray values; // F32 [valueKeys, 4 · across]

    Staging(KernelBuilder b, AttentionSpec spec, Tile tile, Inputs in, Reg row, Reg group, Reg firstPair) {
        this.b = b;
        this.spec = spec;
        this.tile = tile;
        this.in = in;
        this.row = row;
        this.group = group;
        this.firstPair = firstPair;
        places = b.shared("places", MemoryType.I32, tile.keys());
        int staged = (tile.pairs() + tile.keys()) * STRIDE;
        shared = b.shared("stage", MemoryType.F32, Math.max(staged, tile.pairs() * (tile.keys() + 4)));
        values = b.shared("values", MemoryType.F32, valueKeys() * tile.across() * 4);
    }

    /** Where queries and keys are staged. */
    SharedArray shared() {
        return shared;
    }

    /** Keys whose values are staged at a time. */
    int valueKeys() {
        return Math.min(tile.keys(), VALUE_KEYS);
    }

    /** Threads take {@code count} things by turns. */
    private void each(int count, Consumer<Reg> body) {
        int all = b.workgroupSize();
        for (int done = 0; done < count; done += all) {
            Reg i = b.add(b.thread(), done);
            if (done + all <= count) {
                body.accept(i);
            } else {
                b.when(b.lt(i, b.u32(count)), () -> body.accept(i));
            }
        }
    }

    /** Looks up the slots of positions from {@code from} on: -1 outside begin to end, and where no slot is. */
    void places(Reg from, Reg begin, Reg end) {
        each(tile.keys(), i -> {
            Reg j = b.add(from, i);
            Reg within = b.and(b.ge(j, begin), b.lt(j, end));
            b.store(places, i, b.either(within, () -> in.slot(row, j), () -> b.i32(-1)));
        });
    }

    /** The slot (I32) of a key of the tile. */
    Reg place(Reg key) {
        return b.load(places, key);
    }

    /** Stages some features of all queries and keys of the tile. */
    void queriesAndKeys(Reg first, int features) {
        int quads = (features + 3) / 4;
        each(tile.pairs() * quads, i -> {
            Reg pair = b.add(firstPair, b.div(i, quads));
            Reg feature = b.mul(b.rem(i, quads), 4);
            Reg token = b.div(pair, spec.each());
            Reg head = b.mad(group, spec.each(), b.rem(pair, spec.each()));
            List<Reg> four = four(b.lt(pair, in.pairs()), spec.width(), b.add(first, feature), (f, n) -> in.query(row, token, head, f, n));
            b.store(shared, b.mad(b.div(i, quads), STRIDE, feature), four);
        });
        each(tile.keys() * quads, i -> {
            Reg feature = b.mul(b.rem(i, quads), 4);
            List<Reg> four = features(in.keys(), place(b.div(i, quads)), b.add(first, feature));
            b.store(shared, b.mad(b.div(i, quads), STRIDE, b.add(feature, tile.pairs() * STRIDE)), four);
        });
    }

    /** Four features of a slot (I32), zeros where there is none. */
    private List<Reg> features(Features from, Reg slot, Reg first) {
        return four(in.exists(slot), from.width(), first, (f, n) -> from.load(b.toU32(slot), b.mad(group, from.width(), f), n));
    }

    private interface Load {
        List<Reg> from(Reg feature, int count);
    }

    /** Four features from {@code first} on, zeros where they are not wanted or there are none. */
    private List<Reg> four(Reg wanted, int width, Reg first, Load load) {
        Reg zero = b.f32(0);
        if (width % 4 == 0) {
            Reg both = b.and(wanted, b.lt(first, b.u32(width)));
            return b.choose(both, () -> load.from(first, 4), () -> List.of(zero, zero, zero, zero));
        }
        List<Reg> out = new ArrayList<>();
        for (int e = 0; e < 4; e++) {
            Reg f = b.add(first, e);
            out.add(b.either(b.and(wanted, b.lt(f, b.u32(width))), () -> load.from(f, 1).getFirst(), () -> zero));
        }
        return out;
    }

    /** Four staged features of a query of the tile. */
    List<Reg> query(Reg pair, Reg feature) {
        return b.load(shared, b.mad(pair, STRIDE, feature), 4);
    }

    /** Four staged features of a key of the tile. */
    List<Reg> key(Reg key, Reg feature) {
        return b.load(shared, b.mad(key, STRIDE, b.add(feature, tile.pairs() * STRIDE)), 4);
    }

    /** Stages the features of a column of values, of keys {@code from} on. */
    void values(int from, int column) {
        int wide = tile.across();
        each(valueKeys() * wide, i -> {
            Reg feature = b.add(b.mul(b.rem(i, wide), 4), column * wide * 4);
            List<Reg> four = features(in.values(), place(b.add(b.div(i, wide), from)), feature);
            b.store(values, b.mul(i, 4), four);
        });
    }

    /** Four staged features of a key's value, those of the thread at a place across. */
    List<Reg> value(Reg key, Reg across) {
        return b.load(values, b.mul(b.mad(key, tile.across(), across), 4), 4);
    }
}
