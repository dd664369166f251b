package poot.families;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import poot.api.graph.ElementType;
import poot.api.graph.Equation;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.Shape;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.model.ConfigSource;
import poot.api.model.KvForm;
import poot.api.model.KvLayout;
import poot.api.model.Model;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;

class TraceTest {
    private static Graph step(Model m, StepShape shape) throws TraceException {
        return m.trace(StepSpec.of(ProgramName.STEP, shape), TraceLimits.DEFAULT);
    }

    private static Model llama(Map<String, Object> config) throws Exception {
        return Checkpoints.build(ConfigSource.HF, config, Checkpoints.tensors("model."));
    }

    @Test
    void aStepCarriesItsCacheAndChecksItsTokens() throws Exception {
        StepShape shape = StepShape.step(3, 2, 32).withLayout(new KvLayout.Paged(10, 8, 3)).withKv(KvForm.F16);
        Graph g = step(llama(Checkpoints.llama()), shape);
        assertEquals(List.of("layers.0.key", "layers.0.value", "layers.1.key", "layers.1.value"),
                g.states().stream().map(Graph.Carried::name).sorted().toList());
        assertEquals(TensorType.of(ElementType.F16, 80, 2, 4), g.states().get(0).before().type());
        assertEquals(Shape.of(3, 32), g.output(ModelSchema.LOGITS).orElseThrow().shape());
        assertEquals("token id in [0, 32)", g.validations().get(0).what());
        assertTrue(g.equations().stream().map(Equation::scope).anyMatch("layers.1.attention"::equals));
    }

    @Test
    void allLogitsComeBackWhenAskedFor() throws Exception {
        StepShape shape = StepShape.step(1, 5, 8).withLogits(StepShape.Logits.ALL);
        assertEquals(Shape.of(1, 5, 32), step(llama(Checkpoints.llama()), shape).output(ModelSchema.LOGITS).orElseThrow().shape());
    }

    @Test
    void aDecoderEmbedsWithoutState() throws Exception {
        Graph g = llama(Checkpoints.llama()).trace(StepSpec.of(ProgramName.ENCODE, StepShape.encode(2, 3)), TraceLimits.DEFAULT);
        assertEquals(List.of(), g.states());
        assertEquals(Shape.of(2, 16), g.output(ModelSchema.EMBEDDING).orElseThrow().shape());
    }

    @Test
    void whatCannotBeTracedIsSaid() throws Exception {
        Model m = llama(Checkpoints.llama());
        TraceException e = assertThrows(TraceException.class, () -> step(m, StepShape.step(1, 1, 8).withHiddenCarry(true)));
        assertInstanceOf(TraceException.UnsupportedStep.class, e.fault());
        e = assertThrows(TraceException.class, () -> step(m, StepShape.step(1, 9, 8)));
        assertInstanceOf(TraceException.UnsupportedStep.class, e.fault());
        e = assertThrows(TraceException.class, () -> m.trace(StepSpec.of(ProgramName.DRAFT, StepShape.step(1, 1, 8)), TraceLimits.DEFAULT));
        assertInstanceOf(TraceException.NoProgram.class, e.fault());
    }

    @Test
    void theReachOfAStepChoosesTheRotaryFactors() throws Exception {
        Model m = llama(Checkpoints.with("rope_scaling", Map.of("rope_type", "longrope", "original_max_position_embeddings", 16L,
                "short_factor", List.of(1.0, 1.0), "long_factor", List.of(2.0, 4.0), "attention_factor", 1.0)));
        assertEquals(List.of(1.0, 0.01), frequencies(step(m, StepShape.step(1, 1, 16))));
        assertEquals(List.of(0.5, 0.0025), frequencies(step(m, StepShape.step(1, 1, 17))));
    }

    private static List<Double> frequencies(Graph g) {
        Op.Literal l = g.equations().stream().map(Equation::op).filter(Op.Literal.class::isInstance).map(Op.Literal.class::cast)
                .filter(o -> o.data().type().equals(TensorType.of(ElementType.F32, 2))).findFirst().orElseThrow();
        return DoubleStream.of(l.data().floatAt(0), l.data().floatAt(1)).map(x -> Math.round(x * 1e6) / 1e6).boxed().toList();
    }
}
