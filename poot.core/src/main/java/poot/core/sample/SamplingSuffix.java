package poot.core.sample;

import static poot.api.graph.ElementType.F32;

import poot.api.graph.Builder;
import poot.api.graph.Graph;
import poot.api.graph.Op.CompareKind;
import poot.api.graph.Op.UnaryKind;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Value;
import poot.api.model.ModelSchema;
import poot.api.model.StepInput;
import poot.api.model.StepShape;

/**
 * Appends a head to a traced step. The formulas and their order are those of
 * {@link poot.api.driver.SamplingParams}; each row's result depends on that row alone.
 */
public final class SamplingSuffix {
    private final Builder b;
    private final StepShape shape;
    private final Value logits; // F32 [R, V]
    private final int vocabulary;

    private SamplingSuffix(Builder b, StepShape shape, Value logits) {
        this.b = b;
        this.shape = shape;
        this.logits = logits;
        this.vocabulary = logits.shape().dim(-1);
    }

    /**
     * The step's graph with the head in place of its logits.
     *
     * @param graph a step whose output {@link ModelSchema#LOGITS} is F32 [R, V]
     */
    public static Graph append(Graph graph, StepShape shape, Head head, TraceLimits limits) throws TraceException {
        if (head instanceof Head.Raw) {
            return graph;
        }
        if (head instanceof Head.Feed) {
            Builder b = Builder.after(graph, limits);
            b.dropOutput(ModelSchema.LOGITS);
            return b.finish();
        }
        Value logits = graph.output(ModelSchema.LOGITS).filter(v -> v.shape().rank() == 2).orElseThrow(() ->
                new TraceException(new TraceException.SchemaMismatch("the step has no output logits [rows, vocabulary]")));
        Builder b = Builder.after(graph, limits);
        try (Builder.Scope _ = b.scope("sample")) {
            SamplingSuffix suffix = new SamplingSuffix(b, shape, logits);
            suffix.finite();
            if (head instanceof Head.Sample sample) {
                b.dropOutput(ModelSchema.LOGITS);
                suffix.choose(sample);
            }
        }
        return b.finish();
    }

    private void finite() throws TraceException {
        Value sum = b.sum(logits, -1); // [R, 1]
        b.output(SampleOutput.FINITE, b.reshape(b.unary(UnaryKind.IS_FINITE, sum), rows()));
    }

    private void choose(Head.Sample head) throws TraceException {
        Value x = head.history() ? adjusted() : logits;
        if (head.sorts()) {
            new Choice(b, shape, x, head).choose();
        } else {
            b.output(SampleOutput.TOKEN, b.reshape(b.argMax(x, -1), rows()));
        }
    }

    /** Bias, then penalties: [R, V]. */
    private Value adjusted() throws TraceException {
        Value rows = StepInput.STATE_ROWS.in(b, shape); // [R]
        Value seen = b.gather(pool(counted()), rows); // [R, V]
        Value output = b.unary(UnaryKind.FLOOR, seen); // [R, V]
        Value bias = b.state(SampleState.BIAS.state(), SampleState.BIAS.type(shape, vocabulary)); // [S·V]
        b.carry(SampleState.BIAS.state(), bias, bias);
        Value biased = b.add(logits, b.gather(pool(bias), rows));
        Value r = column(SampleSlot.REPETITION);
        Value repeated = b.select(b.compare(CompareKind.GT, biased, b.scalar(0f)), b.div(biased, r), b.mul(biased, r));
        Value x = b.select(b.compare(CompareKind.GT, seen, b.scalar(0f)), repeated, biased);
        Value present = b.cast(b.compare(CompareKind.GT, output, b.scalar(0f)), F32);
        x = b.sub(x, b.mul(present, column(SampleSlot.PRESENCE)));
        return b.sub(x, b.mul(output, column(SampleSlot.FREQUENCY)));
    }

    /** The counts with this step's output tokens counted: [S·V]. */
    private Value counted() throws TraceException {
        Value counts = b.state(SampleState.COUNTS.state(), SampleState.COUNTS.type(shape, vocabulary));
        Value at = b.slot(SampleSlot.COUNTED.slot(), SampleSlot.COUNTED.type(shape)); // [R, T]
        Value ones = b.broadcast(b.scalar(1f), at.shape());
        Value after = b.scatterAdd(counts, at, ones);
        b.carry(SampleState.COUNTS.state(), counts, after);
        return after;
    }

    private Value pool(Value flat) throws TraceException {
        return b.reshape(flat, shape.layout().sequences(), vocabulary);
    }

    private Value column(SampleSlot slot) throws TraceException {
        return b.reshape(b.slot(slot.slot(), slot.type(shape)), rows(), 1);
    }

    private int rows() {
        return shape.rows();
    }
}
