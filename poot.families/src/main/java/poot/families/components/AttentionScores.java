package poot.families.components;

import static poot.api.graph.ElementType.F32;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import poot.api.graph.Builder;
import poot.api.graph.Composite;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Shape;
import poot.api.graph.TraceException;
import poot.api.graph.Value;

/** The attention composite and its definition in primitives. C is the positions a row's blocks cover: B · block. */
public final class AttentionScores {
    private static final float LOWEST = -Float.MAX_VALUE;

    private AttentionScores() {}

    /**
     * softmax(softcap(scale · q·kᵀ) + bias) · v over the cached positions each token may see; [R, T, H, D].
     *
     * @param slopes F32 [H], ALiBi's slopes
     * @param sinks  F32 [H], joining the softmax's denominator only
     */
    public static Value attend(
            Builder b, Value q /* [R, T, H, D] */, KeyValues kv, Value positions /* I32 [R, T] */,
            AttentionParams.Scores scores, Optional<Value> slopes, Optional<Value> sinks) throws TraceException {
        boolean coded = kv.keys().scales().isPresent();
        Composite.Attention kind = new Composite.Attention(
                kv.block(), scores.scale(), scores.softcap(), scores.window(), coded, slopes.isPresent(), sinks.isPresent());
        List<Value> operands = new ArrayList<>(List.of(q, kv.keys().slots(), kv.values().slots(), kv.table(), positions));
        kv.keys().scales().ifPresent(operands::add);
        kv.values().scales().ifPresent(operands::add);
        slopes.ifPresent(operands::add);
        sinks.ifPresent(operands::add);
        return b.composite(kind, operands, (body, in) -> body(body, kind, in));
    }

    private static Value body(Builder b, Composite.Attention kind, List<Value> in) throws TraceException {
        int[] d = in.get(0).shape().dims();                                           // R, T, H, D
        int groups = in.get(1).shape().dim(1);
        int each = d[2] / groups;
        Value positions = in.get(4);                                                  // [R, T]
        Value slots = slots(b, in.get(3), kind.block());                              // [R, C]
        int reach = slots.shape().dim(1);
        Value j = b.iota(Shape.of(1, reach), 1);                                      // [1, C]

        Value k = cached(b, kind, in, 1, slots);                                      // [R, G, C, D]
        Value q = b.reshape(in.get(0), d[0], d[1], groups, each, d[3]);
        q = b.reshape(b.transpose(q, 0, 2, 3, 1, 4), d[0], groups, each * d[1], d[3]); // [R, G, each·T, D]
        Value s = b.reshape(b.matMulTransposed(q, k), d[0], groups, each, d[1], reach); // [R, G, each, T, C]
        s = b.mul(s, kind.scale());
        if (kind.softcap() > 0) {
            s = b.mul(b.tanh(b.div(s, b.scalar(kind.softcap()))), kind.softcap());
        }
        Value from = b.reshape(positions, d[0], 1, 1, d[1], 1);                       // [R, 1, 1, T, 1]
        if (kind.alibi()) {
            Value distance = b.cast(b.sub(j, from), F32);                             // [R, 1, 1, T, C]
            s = b.add(s, b.mul(distance, b.reshape(in.get(kind.coded() ? 7 : 5), 1, groups, each, 1, 1)));
        }
        Value seen = seen(b, kind.window(), j, from, b.reshape(slots, d[0], 1, 1, 1, reach)); // [R, 1, 1, T, C]
        Optional<Value> sinks = kind.sinks()
                ? Optional.of(b.reshape(in.get(in.size() - 1), 1, groups, each, 1, 1)) : Optional.empty();
        Value weights = softmax(b, s, seen, sinks);                                   // [R, G, each, T, C]

        // A slot that no token of this row sees may hold anything, NaN included: its value is taken as zero.
        Value last = b.reduce(ReduceKind.MAX, positions, 1);                          // [R, 1]
        Value live = b.compare(CompareKind.LE, j, last);                              // [R, C]
        Value v = cached(b, kind, in, 2, b.select(live, slots, b.scalar(-1)));         // [R, G, C, Dv]
        int width = v.shape().dim(-1);
        Value out = b.matMul(b.reshape(weights, d[0], groups, each * d[1], reach), v); // [R, G, each·T, Dv]
        out = b.transpose(b.reshape(out, d[0], groups, each, d[1], width), 0, 3, 1, 2, 4);
        return b.reshape(out, d[0], d[1], d[2], width);                               // [R, T, H, Dv]
    }

    /** I32 [R, C]: the slot of each position a row may hold, -1 where there is none. */
    private static Value slots(Builder b, Value table /* [R, B] */, int block) throws TraceException {
        int rows = table.shape().dim(0);
        int blocks = table.shape().dim(1);
        Value t = b.reshape(table, rows, blocks, 1);                                  // [R, B, 1]
        Value inside = b.iota(Shape.of(1, 1, block), 2);                              // [1, 1, block]
        Value slot = b.add(b.mul(t, b.scalar(block)), inside);                        // [R, B, block]
        Value there = b.compare(CompareKind.GE, t, b.scalar(0));                      // [R, B, 1]
        return b.reshape(b.select(there, slot, b.scalar(-1)), rows, blocks * block);  // [R, C]
    }

    /** The slots of operand {@code i}, the keys' or values' pool. */
    private static Value cached(Builder b, Composite.Attention kind, List<Value> in, int i, Value slots /* [R, C] */)
            throws TraceException {
        Value x = b.gather(in.get(i), slots);                                         // [R, C, G, D] or [R, C, G, D/4]
        Value wide = kind.coded() ? Codes.unpack(b, x, b.gather(in.get(i + 4), slots)) : b.cast(x, F32); // [R, C, G, D]
        return b.transpose(wide, 0, 2, 1, 3);                                         // [R, G, C, D]
    }

    /** BOOL [R, 1, 1, T, C]: position j is cached, not after the token's, and inside the window. */
    private static Value seen(Builder b, int window, Value j, Value from, Value slots) throws TraceException {
        Value seen = b.and(b.compare(CompareKind.LE, j, from), b.compare(CompareKind.GE, slots, b.scalar(0)));
        if (window > 0) {
            Value begin = b.binary(BinaryKind.SUB, from, b.scalar(window));           // [R, 1, 1, T, 1]
            seen = b.and(seen, b.compare(CompareKind.GT, j, begin));
        }
        return seen;
    }

    /** Softmax over the seen positions; all zero where nothing is seen. */
    private static Value softmax(Builder b, Value s, Value seen, Optional<Value> sinks) throws TraceException {
        Value top = b.maximum(b.select(seen, s, b.scalar(LOWEST)), -1);               // [.., 1]
        if (sinks.isPresent()) {
            top = b.max(top, sinks.get());
        }
        Value e = b.select(seen, b.exp(b.sub(s, top)), b.scalar(0f));                 // [.., C]
        Value total = b.sum(e, -1);                                                   // [.., 1]
        if (sinks.isPresent()) {
            total = b.add(total, b.exp(b.sub(sinks.get(), top)));
        }
        Value divisor = b.select(b.compare(CompareKind.GT, total, b.scalar(0f)), total, b.scalar(1f));
        return b.div(e, divisor);                                                     // [.., C]
    }
}
