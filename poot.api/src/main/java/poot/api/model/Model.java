package poot.api.model;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import poot.api.graph.Builder;
import poot.api.graph.Graph;
import poot.api.graph.Op;
import poot.api.graph.TensorType;
import poot.api.graph.TraceException;
import poot.api.graph.TraceException.Budget;
import poot.api.graph.TraceException.NoProgram;
import poot.api.graph.TraceException.SchemaMismatch;
import poot.api.graph.TraceException.UnsupportedStep;
import poot.api.graph.TraceLimits;
import poot.api.graph.TraceLimits.Resource;

/** A model: what it is, what a step may bind, which weights it reads, and how one step is traced. Immutable. */
public interface Model {
    /** Vocabulary, end of sequence, dimensions. */
    ModelConfig config();

    /** Programs, request inputs, states. */
    ModelSchema schema();

    /** Which checkpoint tensors feed which role. */
    WeightMap weights();

    /**
     * The family's tracer body: records one step of {@code spec.program()} at {@code spec.shape()} into {@code b}
     * and finishes it. Called through {@link #trace}, which has checked the program.
     */
    Graph traceInto(StepSpec spec, Builder b) throws TraceException;

    /**
     * The graph of one step under the caller's limits; a refused trace publishes nothing.
     *
     * @throws TraceException if the model has no such program or input, a limit would be passed, the family cannot
     *     trace the shape, or the graph is not what the schema declares
     */
    default Graph trace(StepSpec spec, TraceLimits limits) throws TraceException {
        ModelSchema.ProgramSchema program = schema().program(spec.program())
                .orElseThrow(() -> new TraceException(new NoProgram(spec.program().toString())));
        long tokens = (long) spec.shape().rows() * spec.shape().tokens();
        if (tokens > limits.tokens()) {
            throw new TraceException(new Budget(Resource.TOKENS, limits.tokens(), tokens));
        }
        for (String name : spec.carried()) {
            if (schema().input(name).filter(i -> i.presence() == RequestInput.Presence.OPTIONAL).isEmpty()) {
                throw new TraceException(new UnsupportedStep("input \"" + name + "\"", "the model declares no such optional input"));
            }
        }
        try {
            Graph graph = traceInto(spec, Builder.with(limits));
            check(spec, program, graph);
            return graph;
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new TraceException(new UnsupportedStep(spec.program() + " of " + spec.shape(), e.getMessage()), e);
        }
    }

    private void check(StepSpec spec, ModelSchema.ProgramSchema program, Graph graph) throws TraceException {
        checkStates(program, spec.shape(), graph);
        checkSlots(spec, graph);
        for (String output : program.outputs()) {
            if (graph.output(output).isEmpty()) {
                throw new TraceException(new SchemaMismatch("output " + output + " is not traced"));
            }
        }
    }

    private static void checkStates(ModelSchema.ProgramSchema program, StepShape shape, Graph graph) throws TraceException {
        Set<String> traced = new HashSet<>();
        for (Graph.Carried c : graph.states()) {
            traced.add(c.name());
        }
        Map<String, TensorType> declared = new LinkedHashMap<>();
        program.states().forEach(s -> declared.putAll(s.types(shape)));
        for (var s : declared.entrySet()) {
            boolean carried = graph.states().stream()
                    .anyMatch(c -> c.name().equals(s.getKey()) && c.before().type().equals(s.getValue()));
            if (!carried) {
                throw new TraceException(new SchemaMismatch("state " + s.getKey() + " " + s.getValue() + " is not carried"));
            }
            traced.remove(s.getKey());
        }
        if (!traced.isEmpty()) {
            throw new TraceException(new SchemaMismatch("states " + traced + " are not declared"));
        }
    }

    private void checkSlots(StepSpec spec, Graph graph) throws TraceException {
        Set<String> known = new HashSet<>();
        for (StepInput i : StepInput.values()) {
            known.add(i.slot());
        }
        for (RequestInput i : schema().inputs()) {
            if (i.presence() != RequestInput.Presence.OPTIONAL || spec.carried().contains(i.name())) {
                known.add(i.name());
            }
        }
        for (Op.Slot s : graph.slots()) {
            if (!known.contains(s.name())) {
                throw new TraceException(new SchemaMismatch("slot " + s.name() + " is neither a step input nor declared"));
            }
        }
    }
}
