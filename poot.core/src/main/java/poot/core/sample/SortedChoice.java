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
 * A choice among the logits in falling order: filters, a draw by the inverse of the cumulative distribution, and
 * logprobs. R rows, C candidates.
 */
final class SortedChoice {
    private final Builder b;
    private final StepShape shape;
    private final Head.Sample head;
    private final Value hot; // BOOL [R, 1]: a draw is asked for
    private final Value sorted; // F32 [R, C], falling, over temperature
    private final Value tokens; // I32 [R, C]
    private final int candidates;

    SortedChoice(Builder b, StepShape shape, Value x, Head.Sample head) throws TraceException {
        this.b = b;
        this.shape = shape;
        this.head = head;
        int vocabulary = x.shape().dim(-1);
        this.candidates = head.candidates() == 0 ? vocabulary : Math.min(vocabulary, Math.max(head.candidates(), head.logprobs()));
        Value t = column(SampleSlot.TEMPERATURE);
        this.hot = b.compare(CompareKind.GT, t, b.scalar(0f));
        Value scaled = b.div(x, b.select(hot, t, b.scalar(1f)));
        List<Value> top = b.topK(scaled, candidates);
        this.sorted = top.get(0);
        this.tokens = top.get(1);
    }

    void choose() throws TraceException {
        Value first = b.slice(sorted, -1, 0, 1); // [R, 1]
        Value falling = b.sub(sorted, first); // [R, C], at most 0
        Value all = b.exp(falling); // weights: probabilities over the largest
        Value kept = head.draws() ? filtered(all) : all; // [R, C], 0 where dropped
        Value until = b.cumulativeSum(kept, -1, false); // [R, C]
        Value total = b.slice(until, -1, candidates - 1, candidates); // [R, 1]
        Value place = head.draws() ? drawn(until, total) : zeros(); // I32 [R, 1]
        b.output(SampleOutput.TOKEN, b.reshape(b.takeAlong(tokens, place), shape.rows()));
        if (head.logprobs() > 0) {
            report(b.select(b.compare(CompareKind.GT, kept, b.scalar(0f)), b.sub(falling, b.log(total)),
                    b.scalar(Float.NEGATIVE_INFINITY)), place);
        }
    }

    /** Weights with those dropped by top-k, top-p and min-p set to 0. */
    private Value filtered(Value all) throws TraceException {
        Value zero = b.scalar(0f);
        Value rank = b.iota(Shape.of(1, candidates), 1);
        Value byK = b.select(b.compare(CompareKind.LT, rank, column(SampleSlot.TOP_K)), all, zero);
        Value mass = b.sum(byK, -1); // [R, 1]
        Value before = b.cumulativeSum(byK, -1, true); // [R, C]
        Value inside = b.compare(CompareKind.LT, before, b.mul(mass, column(SampleSlot.TOP_P)));
        Value byP = b.select(inside, byK, zero);
        return b.select(b.compare(CompareKind.GE, all, column(SampleSlot.MIN_P)), byP, zero);
    }

    /** The first place whose cumulative weight passes a uniform share of the total; 0 where no draw is asked for. */
    private Value drawn(Value until, Value total) throws TraceException {
        Value seed = b.slot(SampleSlot.SEED.slot(), SampleSlot.SEED.type(shape));
        Value counter = b.slot(SampleSlot.COUNTER.slot(), SampleSlot.COUNTER.type(shape));
        Value bits = b.randomBits(seed, counter, 1); // U32 [R, 1]
        Value eight = b.literal(LiteralData.words(ElementType.U32, Shape.SCALAR, 8));
        Value uniform = b.mul(b.cast(b.binary(BinaryKind.SHIFT_RIGHT, bits, eight), F32), 0x1p-24f); // [0, 1)
        Value passed = b.compare(CompareKind.LE, until, b.mul(uniform, total));
        Value place = b.reduce(ReduceKind.SUM, b.cast(passed, I32), -1); // [R, 1]
        return b.select(hot, b.min(place, b.scalar(candidates - 1)), zeros());
    }

    private void report(Value logprobs, Value place) throws TraceException {
        int n = Math.min(head.logprobs(), candidates);
        b.output(SampleOutput.LOGPROB, b.reshape(b.takeAlong(logprobs, place), shape.rows()));
        b.output(SampleOutput.TOP_TOKENS, b.slice(tokens, -1, 0, n));
        b.output(SampleOutput.TOP_LOGPROBS, b.slice(logprobs, -1, 0, n));
    }

    private Value zeros() throws TraceException {
        return b.broadcast(b.scalar(0), Shape.of(shape.rows(), 1));
    }

    private Value column(SampleSlot slot) throws TraceException {
        return b.reshape(b.slot(slot.slot(), slot.type(shape)), shape.rows(), 1);
    }
}
