package poot.families.standard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import poot.api.graph.Builder;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TraceException;
import poot.api.graph.TraceException.UnsupportedStep;
import poot.api.model.Model;
import poot.api.model.ModelConfig;
import poot.api.model.ModelSchema;
import poot.api.model.ModelSchema.ProgramSchema;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.api.model.WeightMap;
import poot.families.components.Attention;
import poot.families.components.AttentionParams.Heads;
import poot.families.components.AttentionParams.Positions;
import poot.families.components.Block;
import poot.families.components.KeyValues;
import poot.families.components.Roles;
import poot.families.components.Site;
import poot.families.components.Stack;

/**
 * The model of a decoder of the standard shape: {@code step} over a cache per layer, and {@code encode}, one stateless
 * causal pass that returns the final norm of each row's last token, not scaled to unit length. In an encode pass the
 * real tokens of a row come first, at positions 0, 1, 2 …
 */
public final class StandardModel implements Model {
    private final StandardParams params;
    private final WeightMap weights;
    private final ModelConfig config;
    private final ModelSchema schema;

    /** A model of the given parameters that reads its weights by the given map. */
    public StandardModel(String family, StandardParams params, WeightMap weights) {
        this.params = Objects.requireNonNull(params);
        this.weights = Objects.requireNonNull(weights);
        this.config = new ModelConfig(family, params.embedding().vocabulary(), params.context(),
                params.endOfSequence(), params.tools(), dimensions(params));
        List<StateSpec> states = new ArrayList<>();
        for (int i = 0; i < params.layers().size(); i++) {
            states.addAll(KeyValues.states(i, params.layers().get(i).attention().heads()));
        }
        this.schema = new ModelSchema(Map.of(
                ProgramName.STEP, new ProgramSchema(states, Set.of(ModelSchema.LOGITS)),
                ProgramName.ENCODE, new ProgramSchema(List.of(), Set.of(ModelSchema.EMBEDDING))), List.of());
    }

    @Override
    public ModelConfig config() {
        return config;
    }

    @Override
    public ModelSchema schema() {
        return schema;
    }

    @Override
    public WeightMap weights() {
        return weights;
    }

    /** What the model is made of. */
    public StandardParams params() {
        return params;
    }

    @Override
    public Graph traceInto(StepSpec spec, Builder b) throws TraceException {
        if (spec.shape().carriesHidden()) {
            throw new TraceException(new UnsupportedStep("a hidden-state carry", "the family has no draft program"));
        }
        if (spec.program() == ProgramName.STEP && spec.shape().capacity() < spec.shape().tokens()) {
            throw new TraceException(new UnsupportedStep("a step of " + spec.shape().tokens() + " tokens",
                    "the cache holds " + spec.shape().capacity() + " positions of a row"));
        }
        record(params, Site.top(b, spec));
        return b.finish();
    }

    private static void record(StandardParams p, Site top) throws TraceException {
        List<Block> layers = p.layers().stream().map(StandardModel::layer).toList();
        Stack.standardStack(top, p.embedding(), layers, p.norm(), p.head());
    }

    private static Block layer(LayerParams l) {
        return (at, x) -> l.residual().standardLayer(
                at, x, (site, y) -> Attention.trace(site, y, l.attention()), l.feedForward()::trace);
    }

    /**
     * The weights such a model reads, with their shapes: the constants its graphs record, whatever a step's reach.
     */
    public static SortedMap<Role, Shape> roles(StandardParams p) {
        StepSpec least = StepSpec.of(ProgramName.STEP, StepShape.step(1, 1, 1));
        SortedMap<Role, Shape> roles = Roles.recorded(least, top -> record(p, top));
        p.layers().forEach(l -> divisors(l.attention().positions(), roles));
        return roles;
    }

    private static void divisors(Positions positions, SortedMap<Role, Shape> roles) {
        if (positions instanceof Positions.Rotated r) {
            Shape half = Shape.of(r.rotary().dims() / 2);
            r.rotary().within().divisor().ifPresent(role -> roles.put(role, half));
            r.rotary().beyond().flatMap(f -> f.divisor()).ifPresent(role -> roles.put(role, half));
        }
    }

    private static SequencedMap<String, Integer> dimensions(StandardParams p) {
        SequencedMap<String, Integer> out = new LinkedHashMap<>();
        out.put("layers", p.layers().size());
        out.put("hidden", p.embedding().hidden());
        Optional<LayerParams> first = p.layers().stream().findFirst();
        if (first.isPresent()) {
            Heads h = first.get().attention().heads();
            out.put("heads", h.query());
            out.put("kv_heads", h.groups());
            out.put("head_dim", h.dim());
            out.put("feed_forward", first.get().feedForward().width());
        }
        return out;
    }
}
