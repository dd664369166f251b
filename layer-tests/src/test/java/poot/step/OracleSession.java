package poot.step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import poot.api.graph.Graph;
import poot.api.graph.Role;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.graph.Weight;
import poot.api.model.Model;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.oracle.Oracle;
import poot.oracle.Tensor;

/** Sequences of one model stepped through the oracle, states carried from step to step. */
public final class OracleSession {
    private final Model model;
    private final Oracle oracle;
    private final StepShape base;
    private final Map<StepShape, Graph> graphs = new HashMap<>();
    private Map<String, Tensor> states = new HashMap<>();

    /** A session whose steps have the layout, capacity and cache type of {@code base}. */
    public OracleSession(Model model, Function<Role, Weight> weights, StepShape base) {
        this.model = model;
        this.oracle = Oracle.over(weights);
        this.base = base;
        for (StateSpec s : model.schema().program(ProgramName.STEP).orElseThrow().states()) {
            states.put(s.name(), Tensor.zeros(s.type(base)));
        }
    }

    /** Steps the chunks together, padded to the longest; the logits of each chunk's last token. */
    public float[][] step(Chunk... chunks) throws TraceException {
        int longest = Arrays.stream(chunks).mapToInt(c -> c.tokens().length).max().orElseThrow();
        return step(base.withRows(chunks.length).withTokens(longest).withLogits(StepShape.Logits.LAST), List.of(chunks), Map.of());
    }

    /** Steps one chunk; the logits of each of its tokens. */
    public float[][] stepAll(Chunk chunk) throws TraceException {
        StepShape shape = base.withRows(1).withTokens(chunk.tokens().length).withLogits(StepShape.Logits.ALL);
        return step(shape, List.of(chunk), Map.of());
    }

    /** Steps chunks at a shape that may pad them, with request inputs; the rows of the logits. */
    public float[][] step(StepShape shape, List<Chunk> chunks, Map<String, Tensor> requestInputs) throws TraceException {
        Graph graph = graphs.get(shape);
        if (graph == null) {
            graph = model.trace(StepSpec.of(ProgramName.STEP, shape), TraceLimits.DEFAULT);
            graphs.put(shape, graph);
        }
        Map<String, Tensor> slots = StepInputs.of(model.schema(), shape, chunks);
        slots.putAll(requestInputs);
        Oracle.Result result = oracle.run(graph, slots, states);
        if (!result.failures().isEmpty()) {
            throw new IllegalStateException("validations failed: " + result.failures());
        }
        states = result.states();
        return rows(result.output(ModelSchema.LOGITS));
    }

    /** The states as the last step left them. */
    public Map<String, Tensor> states() {
        return states;
    }

    /** One stateless pass over rows of tokens: the rows of the output. */
    public static float[][] encode(Model model, Function<Role, Weight> weights, String output, List<int[]> rows,
            Map<String, Tensor> requestInputs) throws TraceException {
        int longest = rows.stream().mapToInt(r -> r.length).max().orElseThrow();
        StepShape shape = StepShape.encode(rows.size(), longest);
        Graph graph = model.trace(StepSpec.of(ProgramName.ENCODE, shape), TraceLimits.DEFAULT);
        List<Chunk> chunks = new ArrayList<>();
        for (int[] r : rows) {
            chunks.add(new Chunk(chunks.size(), 0, r));
        }
        Map<String, Tensor> slots = StepInputs.of(model.schema(), shape, chunks);
        slots.putAll(requestInputs);
        Tensor out = Oracle.run(graph, weights, slots, Map.of()).output(output);
        return out.shape().rank() == 1 ? rows(out, 1) : rows(out);
    }

    private static float[][] rows(Tensor t) {
        return rows(t, t.shape().dim(-1));
    }

    private static float[][] rows(Tensor t, int width) {
        float[][] out = new float[t.count() / width][];
        for (int i = 0; i < out.length; i++) {
            out[i] = Arrays.copyOfRange(t.floats(), i * width, (i + 1) * width);
        }
        return out;
    }
}
