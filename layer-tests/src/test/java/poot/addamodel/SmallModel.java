package poot.addamodel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import poot.api.graph.Builder;
import poot.api.graph.Graph;
import poot.api.graph.Shape;
import poot.api.graph.TraceException;
import poot.api.model.ConfigException;
import poot.api.model.Model;
import poot.api.model.ModelConfig;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.RawConfig;
import poot.api.model.RequestInput;
import poot.api.model.StateSpec;
import poot.api.model.StepSpec;
import poot.api.model.WeightMap;

/** A model of this package: its sizes, its weights, and how a step of it is traced. */
record SmallModel(ModelConfig config, ModelSchema schema, WeightMap weights, Tracer tracer) implements Model {
    /** Records one step. */
    @FunctionalInterface
    interface Tracer {
        void trace(StepSpec spec, Builder b) throws TraceException;
    }

    /** The sizes every family here reads: V tokens, N hidden, L layers, H heads of D features, context. */
    record Sizes(int vocabulary, int hidden, int layers, int heads, int context, Set<Integer> end) {
        int headDim() {
            return hidden / heads;
        }

        static Sizes read(RawConfig c) throws ConfigException {
            return new Sizes(c.integer("vocab_size", 1, 1 << 20), c.integer("hidden_size", 1, 1 << 16),
                    c.integer("num_hidden_layers", 1, 1 << 10), c.integer("num_attention_heads", 1, 1 << 10),
                    c.integer("max_position_embeddings", 1, 1 << 20), Set.copyOf(c.integers("eos_token_id", 0, 1 << 20)));
        }
    }

    /** A model with key and value caches of every layer and the given request inputs. */
    static SmallModel of(String family, Sizes s, WeightMap weights, List<RequestInput> inputs, Tracer tracer) {
        List<StateSpec> states = new ArrayList<>();
        for (int layer = 0; layer < s.layers(); layer++) {
            for (String name : List.of("key", "value")) {
                states.add(new StateSpec("layers." + layer + "." + name, StateSpec.Extent.KV_SLOTS, Shape.of(s.heads(), s.headDim())));
            }
        }
        LinkedHashMap<String, Integer> dimensions = new LinkedHashMap<>();
        dimensions.put("layers", s.layers());
        dimensions.put("hidden", s.hidden());
        ModelConfig config = new ModelConfig(
                family, s.vocabulary(), s.context(), new TreeSet<>(s.end()), ModelConfig.ToolFormat.NONE, dimensions);
        ModelSchema schema = new ModelSchema(
                Map.of(ProgramName.STEP, new ModelSchema.ProgramSchema(states, Set.of(ModelSchema.LOGITS))), inputs);
        return new SmallModel(config, schema, weights, tracer);
    }

    @Override
    public Graph traceInto(StepSpec spec, Builder b) throws TraceException {
        tracer.trace(spec, b);
        return b.finish();
    }
}
