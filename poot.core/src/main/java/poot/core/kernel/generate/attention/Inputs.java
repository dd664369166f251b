package poot.core.kernel.generate.attention;

import java.util.List;
import poot.core.kernel.generate.attention.AttentionSpec.Cached;
import poot.core.kernel.generate.attention.AttentionSpec.Whole;
import poot.core.kernel.ir.Access;
import poot.core.kernel.ir.Functions;
import poot.core.kernel.ir.KernelBuilder;
import poot.core.kernel.ir.MemoryType;
import poot.core.kernel.ir.Reg;
import poot.core.kernel.ir.ScalarType;

/**
 * The operands of attention as parameters of a kernel, in the composite's order, and what each means. A kernel works on
 * pairs of a token and a query head of one group: pair i of a row is token i / (H/G), head i % (H/G) of the group.
 */
final class Inputs {
    /** The score of what is not seen, and the largest where nothing is. */
    static final float LOWEST = -Float.MAX_VALUE;
    /** Scores are kept in units of ln 2, so that their exponential is a power of two. */
    static final float LOG2_E = 0x1.715476p+0f;
    private final KernelBuilder b;
    private final AttentionSpec spec;
    private final Reg query;
    private final Reg keys;
    private final Reg values;
    private final Reg table;
    private final Reg positions;
    private Reg keyScales;
    private Reg valueScales;
    private Reg slopes;
    private Reg sinks;
    private Reg tokens;
    private Reg blocks;
    private Reg slots;

    /** Declares the buffers. */
    Inputs(KernelBuilder b, AttentionSpec spec) {
        this.b = b;
        this.spec = spec;
        query = b.buffer("query", Access.READ);
        keys = b.buffer("keys", Access.READ);
        values = b.buffer("values", Access.READ);
        boolean cached = spec.view() instanceof Cached;
        table = cached ? b.buffer("table", Access.READ) : null;
        positions = b.buffer(cached ? "positions" : "real", Access.READ);
        if (spec.coded()) {
            keyScales = b.buffer("key_scales", Access.READ);
            valueScales = b.buffer("value_scales", Access.READ);
        }
        slopes = spec.alibi() ? b.buffer("slopes", Access.READ) : null;
        sinks = spec.sinks() ? b.buffer("sinks", Access.READ) : null;
    }

    /** Declares the numbers. */
    void declareSizes() {
        tokens = b.scalar("tokens", ScalarType.U32);
        blocks = b.scalar("blocks", ScalarType.U32);
        slots = b.scalar("slots", ScalarType.U32);
    }

    /** Tokens of a row, U32. */
    Reg tokens() {
        return tokens;
    }

    /** Pairs of a row, U32. */
    Reg pairs() {
        return b.mul(tokens, spec.each());
    }

    Features keys() {
        return new Features(b, spec.form(), spec.groups(), spec.width(), keys, keyScales);
    }

    Features values() {
        return new Features(b, spec.form(), spec.groups(), spec.valueWidth(), values, valueScales);
    }

    /** The first positions that no row holds, U32. */
    Reg reach() {
        return spec.view() instanceof Cached c ? b.mul(blocks, c.block()) : tokens;
    }

    /** The position (I32) of a token: negative where it is padding; 0 where positions play no part. */
    Reg position(Reg row, Reg token) {
        return spec.view() instanceof Cached ? b.load(MemoryType.I32, positions, b.mad(row, tokens, token)) : b.i32(0);
    }

    /** The slot (I32) that holds position j (U32), below {@link #reach}, of a row; negative where none does. */
    Reg slot(Reg row, Reg j) {
        return switch (spec.view()) {
            case Cached c -> {
                Reg entry = b.load(MemoryType.I32, table, b.mad(row, blocks, b.div(j, c.block())));
                Reg slot = b.mad(entry, c.block(), b.toI32(b.rem(j, c.block())));
                yield b.select(b.lt(entry, b.i32(0)), b.i32(-1), slot);
            }
            case Whole w -> {
                Reg at = b.mad(row, tokens, j);
                Reg real = b.ne(b.load(MemoryType.U8, positions, at), 0);
                yield b.select(real, b.toI32(at), b.i32(-1));
            }
        };
    }

    /** Whether a slot (I32) exists; features of one that does not are zero. */
    Reg exists(Reg slot) {
        return b.lt(b.toU32(slot), slots);
    }

    /** The first position (I32) that a query at a position (I32, at least 0) sees. */
    Reg firstSeen(Reg position) {
        return spec.view() instanceof Cached c ? firstSeen(b, c, position) : b.i32(0);
    }

    static Reg firstSeen(KernelBuilder b, Cached view, Reg position) {
        return view.window() > 0 ? b.max(b.sub(position, view.window() - 1), b.i32(0)) : b.i32(0);
    }

    /** Whether a query at a position (I32) sees position j (I32) in a slot (I32). */
    Reg seen(Reg j, Reg position, Reg slot) {
        Reg there = b.ge(slot, b.i32(0));
        if (!(spec.view() instanceof Cached c)) {
            return there;
        }
        Reg out = b.and(there, b.le(j, position));
        return c.window() > 0 ? b.and(out, b.gt(j, b.sub(position, c.window()))) : out;
    }

    /** What every feature of a query is multiplied with. */
    float queryScale() {
        return spec.softcap() > 0 ? spec.scale() : spec.scale() * LOG2_E;
    }

    /**
     * A score from the product of a scaled query and a key, in units of ln 2.
     *
     * @param slope the head's, from {@link #slope}
     */
    Reg score(Reg product, Reg j, Reg position, Reg slope) {
        Reg s = product;
        if (spec.softcap() > 0) {
            Reg capped = Functions.tanh(b, b.mul(s, 1 / spec.softcap()));
            s = b.mul(capped, spec.softcap() * LOG2_E);
        }
        return spec.alibi() ? b.add(s, b.mul(b.toF32(b.sub(j, position)), slope)) : s;
    }

    /** The slope of a head (U32), in units of ln 2; 0 where there are none. */
    Reg slope(Reg head) {
        return spec.alibi() ? b.mul(b.load(MemoryType.F32, slopes, head), LOG2_E) : b.f32(0);
    }

    /** The feature {@code first} (U32) on of the query of a head (U32) of a token (U32), and its neighbours, scaled. */
    List<Reg> query(Reg row, Reg token, Reg head, Reg first, int count) {
        Reg at = b.advance(query, b.mad(b.mad(row, tokens, token), spec.heads(), head), 4L * spec.width());
        return new Features(b, CacheForm.F32, 1, spec.width(), at, null).load(b.u32(0), first, count).stream()
                .map(x -> b.mul(x, queryScale())).toList();
    }

    /**
     * What the sums of a query, taken over exponentials below its largest score, are multiplied with.
     *
     * @param top its largest score
     * @param total the sum of its exponentials
     */
    Reg share(Reg top, Reg total, Reg head) {
        Reg own = b.f32(1);
        Reg all = total;
        if (spec.sinks()) {
            Reg sink = b.mul(b.load(MemoryType.F32, sinks, head), LOG2_E);
            Reg joint = b.max(top, sink);
            own = b.exp2(b.sub(top, joint));
            all = b.add(b.mul(total, own), b.exp2(b.sub(sink, joint)));
        }
        return b.div(own, b.select(b.gt(all, b.f32(0)), all, b.f32(1)));
    }
}
