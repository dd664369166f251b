package poot.core.sample;

import static poot.api.graph.ElementType.F32;
import static poot.api.graph.ElementType.I32;

import java.util.List;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.LiteralData;
import poot.api.graph.Op.BinaryKind;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.ReduceKind;
import poot.api.graph.Shape;
import poot.api.graph.TraceException;
import poot.api.graph.Value;
import poot.api.model.StepShape;

/**
 * A choice among the logits: filters, a draw, and logprobs. R rows, V tokens, C of them put in order.
 *
 * <p>Only the filters look at the order, and only to find the last token that stays; then every token less likely than
 * it has weight 0. The draw itself is the inverse of the cumulative distribution over the vocabulary in the order of
 * ids: the first token at which the running sum of weights passes a uniform share of their total. So it does not
 * depend on how many tokens were put in order.
 */
final class Choice {
    private final Builder b;
    private final StepShape shape;
    private final Head.Sample head;
    private final int vocabulary;
    private final int ordered; // C
    private final Value hot; // BOOL [R, 1]: a draw is asked for
    private final Value scaled; // F32 [R, V], over temperature
    private final Value falling; // F32 [R, C]
    private final Value tokens; // I32 [R, C]

    Choice(Builder b, StepShape shape, Value x, Head.Sample head) throws TraceException {
        this.b = b;
        this.shape = shape;
        this.head = head;
        this.vocabulary = x.shape().dim(-1);
        int needed = !head.draws() ? head.logprobs() : head.ordered() == 0 ? vocabulary : Math.max(head.ordered(), head.logprobs());
        this.ordered = Math.min(vocabulary, needed);
        Value t = column(SampleSlot.TEMPERATURE);
        this.hot = b.compare(CompareKind.GT, t, b.scalar(0f));
        this.scaled = b.div(x, b.select(hot, t, b.scalar(1f)));
        List<Value> top = b.topK(scaled, ordered);
        this.falling = top.get(0);
        this.tokens = top.get(1);
    }

    void choose() throws TraceException {
        Value below = b.sub(scaled, b.slice(falling, -1, 0, 1)); // [R, V], at most 0
        Value all = b.exp(below); // weights: probabilities over the largest
        Value kept = head.draws() ? filtered(all) : all; // [R, V], 0 where dropped
        Value likeliest = b.slice(tokens, -1, 0, 1); // [R, 1]
        Value token = head.draws() ? b.select(hot, drawn(kept), likeliest) : likeliest; // I32 [R, 1]
        b.output(SampleOutput.TOKEN, b.reshape(token, shape.rows()));
        if (head.logprobs() > 0) {
            report(b.select(b.compare(CompareKind.GT, kept, b.scalar(0f)), b.sub(below, b.log(b.sum(kept, -1))),
                    b.scalar(Float.NEGATIVE_INFINITY)), token);
        }
    }

    /** Weights with those dropped by top-k, top-p and min-p set to 0. */
    private Value filtered(Value all) throws TraceException {
        Value last = last(b.takeAlong(all, tokens)); // I32 [R, 1]
        Value least = b.takeAlong(falling, last);
        Value id = b.takeAlong(tokens, last);
        Value equal = b.and(b.compare(CompareKind.EQ, scaled, least),
                b.compare(CompareKind.LE, b.iota(Shape.of(1, vocabulary), 1), id));
        Value stays = b.or(b.compare(CompareKind.GT, scaled, least), equal); // BOOL [R, V]
        if (ordered < vocabulary) {
            stays = b.or(stays, unfiltered());
        }
        Value likely = b.compare(CompareKind.GE, all, column(SampleSlot.MIN_P));
        return b.select(b.and(stays, likely), all, b.scalar(0f));
    }

    /** BOOL [R, 1]: neither top-k nor top-p is asked for. */
    private Value unfiltered() throws TraceException {
        return b.and(b.compare(CompareKind.GE, column(SampleSlot.TOP_K), b.scalar(vocabulary)),
                b.compare(CompareKind.GT, column(SampleSlot.TOP_P), b.scalar(1f)));
    }

    /** The place of the last token that top-k and top-p keep, I32 [R, 1], from the falling weights [R, C]. */
    private Value last(Value weights) throws TraceException {
        Value near = b.compare(CompareKind.LT, b.iota(Shape.of(1, ordered), 1), column(SampleSlot.TOP_K));
        Value byK = b.select(near, weights, b.scalar(0f));
        Value mass = b.slice(b.cumulativeSum(byK, -1, false), -1, ordered - 1, ordered); // [R, 1], the same for any C
        Value before = b.cumulativeSum(byK, -1, true); // [R, C]
        Value inside = b.compare(CompareKind.LT, before, b.mul(mass, column(SampleSlot.TOP_P)));
        Value count = b.reduce(ReduceKind.SUM, b.cast(b.and(near, inside), I32), -1);
        return b.max(b.sub(count, b.scalar(1)), b.scalar(0));
    }

    /** The first token at which the running sum of weights passes a uniform share of the total: I32 [R, 1]. */
    private Value drawn(Value kept) throws TraceException {
        Value until = b.cumulativeSum(kept, -1, false); // [R, V]
        Value total = b.slice(until, -1, vocabulary - 1, vocabulary); // [R, 1]
        Value seed = b.slot(SampleSlot.SEED.slot(), SampleSlot.SEED.type(shape));
        Value counter = b.slot(SampleSlot.COUNTER.slot(), SampleSlot.COUNTER.type(shape));
        Value bits = b.randomBits(seed, counter, 1); // U32 [R, 1]
        Value eight = b.literal(LiteralData.words(ElementType.U32, Shape.SCALAR, 8));
        Value uniform = b.mul(b.cast(b.binary(BinaryKind.SHIFT_RIGHT, bits, eight), F32), 0x1p-24f); // [0, 1)
        Value passed = b.compare(CompareKind.LE, until, b.mul(uniform, total));
        Value place = b.reduce(ReduceKind.SUM, b.cast(passed, I32), -1); // [R, 1]
        return b.min(place, b.scalar(vocabulary - 1));
    }

    private void report(Value logprobs, Value token) throws TraceException {
        int n = Math.min(head.logprobs(), ordered);
        Value top = b.slice(tokens, -1, 0, n);
        b.output(SampleOutput.LOGPROB, b.reshape(b.takeAlong(logprobs, token), shape.rows()));
        b.output(SampleOutput.TOP_TOKENS, top);
        b.output(SampleOutput.TOP_LOGPROBS, b.takeAlong(logprobs, top));
    }

    private Value column(SampleSlot slot) throws TraceException {
        return b.reshape(b.slot(slot.slot(), slot.type(shape)), shape.rows(), 1);
    }
}
