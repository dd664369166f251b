package poot.families.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import poot.api.graph.Composite.Activation;
import poot.api.graph.Role;
import poot.api.graph.Shape;
import poot.api.graph.TraceLimits;
import poot.api.graph.Weight;
import poot.api.model.ConfigException;
import poot.api.model.ConfigSource;
import poot.api.model.FamilyKey;
import poot.api.model.Model;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.RawConfig;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.api.model.WeightException;
import poot.api.model.WeightMap;
import poot.api.model.WeightStore;
import poot.families.components.AttentionParams;
import poot.families.components.FeedForward;
import poot.families.components.Norm;
import poot.families.components.Residual.Placement;
import poot.families.components.RopeFrequencies;
import poot.families.components.Rotary;

/** A family from outside: biased layer norms, partial rotation, blocks in parallel, one tensor of q, k, v by group. */
class OwnFamilyTest {
    private static final class Own implements StandardFamily {
        @Override
        public String name() {
            return "own";
        }

        @Override
        public List<FamilyKey> keys() {
            return List.of(FamilyKey.hf("own"));
        }

        @Override
        public StandardParams configure(RawConfig c) throws ConfigException {
            int hidden = c.integer("width", 1, 1024);
            Norm norm = Norm.layer(1e-5f, true);
            AttentionParams attention = AttentionParams.of(4, 2, 8).fusedByGroup().withBias(true, true)
                    .withRotary(Rotary.of(4, false, RopeFrequencies.plain(4, 10000)));
            return StandardParams.of(64, hidden, 128, 3, norm, attention, new FeedForward.Plain(48, Activation.RELU, true))
                    .residual(r -> r.with(Placement.PARALLEL_SHARED)).tiedHead(true).build();
        }

        @Override
        public WeightMap weights(StandardParams p, WeightNames names) throws WeightException {
            return names.hf("attention.query_key_value", "qkv").hfRoot("h.", "net.").standard(p);
        }
    }

    private record Names(SortedSet<String> names) implements WeightStore {
        @Override
        public Optional<Weight> find(String name) {
            return Optional.of(Weight.whole(name, null, Shape.of(1), List.<MemorySegment>of()));
        }

        @Override
        public void close() {}
    }

    @Test
    void itsRolesAreTheConstantsItsGraphsRecord() throws Exception {
        RawConfig c = RawConfig.of(ConfigSource.HF, Path.of("config.json"), Map.of("model_type", "own", "width", 24L));
        StandardParams p = new Own().configure(c);
        assertEquals(Shape.of(64, 24), StandardModel.roles(p).get(new Role("layers.2.attention.query_key_value")));
        WeightStore store = new Names(new TreeSet<>(List.of("net.h.2.qkv.weight")));
        WeightMap map = new Own().weights(p, WeightNames.of(ConfigSource.HF, store));
        assertEquals("net.h.2.qkv.bias", map.views().get(new Role("layers.2.attention.query_key_value.bias")).tensor());
        assertEquals(StandardModel.roles(p).keySet(), map.views().keySet());
        Model m = new StandardModel("own", p, map);
        assertEquals(Shape.of(2, 64), m.trace(StepSpec.of(ProgramName.STEP, StepShape.step(2, 4, 16)), TraceLimits.DEFAULT)
                .output(ModelSchema.LOGITS).orElseThrow().shape());
    }
}
