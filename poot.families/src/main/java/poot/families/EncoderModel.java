package poot.families;

import static poot.api.graph.ElementType.F32;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import poot.api.graph.Builder;
import poot.api.graph.ElementType;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TraceException;
import poot.api.graph.TraceException.UnsupportedStep;
import poot.api.graph.Value;
import poot.api.model.Model;
import poot.api.model.ModelConfig;
import poot.api.model.ModelSchema;
import poot.api.model.ModelSchema.ProgramSchema;
import poot.api.model.ProgramName;
import poot.api.model.RequestInput;
import poot.api.model.StepInput;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.api.model.WeightMap;
import poot.families.components.Embedding;
import poot.families.components.FullAttention;
import poot.families.components.Linear;
import poot.families.components.Residual;
import poot.families.components.Residual.Placement;
import poot.families.components.Roles;
import poot.families.components.Site;

/** An encoder with learned positions and token types (Devlin et al. 2019): one {@code encode} program, no state. */
record EncoderModel(EncoderParams params, WeightMap weights, ModelConfig config, ModelSchema schema) implements Model {
    /** I32 per position: the segment of each token; 0 where a request says nothing. */
    static final RequestInput TOKEN_TYPES = new RequestInput(ModelSchema.SEGMENTS, ElementType.I32,
            RequestInput.Extent.PER_POSITION, Shape.SCALAR, 0, RequestInput.Presence.DEFAULTED);

    /** An encoder of the given parameters. */
    static EncoderModel of(String family, EncoderParams p, WeightMap weights) {
        SequencedMap<String, Integer> dimensions = new LinkedHashMap<>();
        dimensions.put("layers", p.layers());
        dimensions.put("hidden", p.hidden());
        dimensions.put("heads", p.attention().heads().query());
        dimensions.put("feed_forward", p.feedForward().width());
        SortedSet<Integer> end = new TreeSet<>();
        ModelConfig config = new ModelConfig(family, p.vocabulary(), p.context(), end, ModelConfig.ToolFormat.NONE, dimensions);
        ProgramSchema encode = new ProgramSchema(List.of(), Set.of(output(p)));
        return new EncoderModel(p, weights, config, new ModelSchema(Map.of(ProgramName.ENCODE, encode), List.of(TOKEN_TYPES)));
    }

    private static String output(EncoderParams p) {
        return switch (p.result()) {
            case EncoderParams.Result.Pooled r -> ModelSchema.EMBEDDING;
            case EncoderParams.Result.Scored r -> ModelSchema.SCORE;
        };
    }

    @Override
    public Graph traceInto(StepSpec spec, Builder b) throws TraceException {
        if (spec.shape().tokens() > params.positions()) {
            throw new TraceException(new UnsupportedStep("a pass over " + spec.shape().tokens() + " tokens",
                    "the encoder has " + params.positions() + " positions; truncate the input"));
        }
        record(params, Site.top(b, spec));
        return b.finish();
    }

    /** The weights such an encoder reads, with their shapes. */
    static SortedMap<Role, Shape> roles(EncoderParams p) {
        return Roles.recorded(StepSpec.of(ProgramName.ENCODE, StepShape.encode(1, 1)), top -> record(p, top));
    }

    private static void record(EncoderParams p, Site top) throws TraceException {
        Residual residual = Residual.pre(p.norm()).with(Placement.AFTER);
        Value x = embed(top, p);                                                      // [R, T, E]
        for (int i = 0; i < p.layers(); i++) {
            x = residual.standardLayer(top.layer(i), x,
                    (at, y) -> FullAttention.trace(at, y, p.attention()), p.feedForward()::trace);
        }
        switch (p.result()) {
            case EncoderParams.Result.Pooled r -> top.b().output(ModelSchema.EMBEDDING, pool(top, x, r));
            case EncoderParams.Result.Scored r -> top.b().output(ModelSchema.SCORE, score(top, first(top, x)));
        }
    }

    private static Value embed(Site top, EncoderParams p) throws TraceException {
        Builder b = top.b();
        Value tokens = top.input(StepInput.TOKENS);                                   // [R, T]
        Value types = b.slot(TOKEN_TYPES.name(), TOKEN_TYPES.type(top.shape()));      // [R, T]
        Embedding.bounded(top, "token id", tokens, p.vocabulary());
        Embedding.bounded(top, "token type", types, p.types());
        Value x = b.gather(top.in("embedding").weight(p.vocabulary(), p.hidden()), tokens);            // [R, T, E]
        Value t = b.gather(top.in("embedding_types").weight(p.types(), p.hidden()), types);            // [R, T, E]
        Value place = top.in("embedding_positions").weight(p.positions(), p.hidden());                 // [P, E]
        Value y = b.add(b.add(x, t), b.gather(place, top.input(StepInput.POSITIONS)));                 // [R, T, E]
        return p.norm().apply(top.in("embedding_norm"), y);                                            // [R, T, E]
    }

    private static Value pool(Site top, Value x /* [R, T, E] */, EncoderParams.Result.Pooled how) throws TraceException {
        Builder b = top.b();
        Value y = how.mean() ? mean(top, x) : first(top, x);                          // [R, E]
        if (!how.normalised()) {
            return y;
        }
        Value length = b.sqrt(b.sum(b.square(y), 1));                                 // [R, 1]
        return b.div(y, b.max(length, b.scalar(1e-12f)));                             // [R, E]
    }

    private static Value mean(Site top, Value x) throws TraceException {
        Builder b = top.b();
        Value real = b.reshape(top.input(StepInput.REAL), top.rows(), top.tokens(), 1);               // [R, T, 1]
        Value total = b.sum(b.select(real, x, b.scalar(0f)), 1);                      // [R, 1, E]
        Value count = b.max(b.sum(b.cast(real, F32), 1), b.scalar(1f));               // [R, 1, 1]
        return b.reshape(b.div(total, count), top.rows(), x.shape().dim(-1));         // [R, E]
    }

    private static Value first(Site top, Value x) throws TraceException {
        return top.b().reshape(top.b().slice(x, 1, 0, 1), top.rows(), x.shape().dim(-1));             // [R, E]
    }

    private static Value score(Site top, Value x /* [R, E] */) throws TraceException {
        Value pooled = top.b().tanh(Linear.linear(top.in("pooler"), x, x.shape().dim(-1), true));     // [R, E]
        return top.b().reshape(Linear.linear(top.in("classifier"), pooled, 1, true), top.rows());     // [R]
    }
}
