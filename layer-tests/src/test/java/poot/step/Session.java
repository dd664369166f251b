package poot.step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import poot.api.graph.Graph;
import poot.api.graph.TraceException;
import poot.api.graph.TraceLimits;
import poot.api.model.Model;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.api.model.StepSpec;
import poot.oracle.Tensor;

/** Sequences of one model run step by step, their states carried from step to step. */
public abstract class Session implements AutoCloseable {
    final Model model;
    final StepShape base;

    Session(Model model, StepShape base) {
        this.model = model;
        this.base = base;
    }

    /** Runs a program once over its inputs: all its outputs. */
    abstract Map<String, Tensor> run(StepSpec spec, Map<String, Tensor> slots) throws Exception;

    /** The layout, capacity and cache type of every step. */
    public final StepShape base() {
        return base;
    }

    /** Steps the chunks together, padded to the longest; the logits of each chunk's last token. */
    public final float[][] step(Chunk... chunks) throws Exception {
        int longest = Arrays.stream(chunks).mapToInt(c -> c.tokens().length).max().orElseThrow();
        return step(base.withRows(chunks.length).withTokens(longest), List.of(chunks), Map.of());
    }

    /** Steps one chunk; the logits of each of its tokens. */
    public final float[][] stepAll(Chunk chunk) throws Exception {
        StepShape shape = base.withRows(1).withTokens(chunk.tokens().length).withLogits(StepShape.Logits.ALL);
        return step(shape, List.of(chunk), Map.of());
    }

    /** Steps chunks at a shape that may pad them, with request inputs; the rows of the logits, padding rows last. */
    public final float[][] step(StepShape shape, List<Chunk> chunks, Map<String, Tensor> requestInputs) throws Exception {
        Map<String, Tensor> slots = StepInputs.of(model.schema(), shape, chunks);
        slots.putAll(requestInputs);
        Tensor logits = run(StepSpec.of(ProgramName.STEP, shape), slots).get(ModelSchema.LOGITS);
        return rows(logits, logits.shape().dim(-1));
    }

    /** One stateless pass over rows of tokens, padded to the longest: the rows of the output. */
    public final float[][] encode(String output, List<int[]> tokens, Map<String, Tensor> requestInputs) throws Exception {
        int longest = tokens.stream().mapToInt(r -> r.length).max().orElseThrow();
        StepShape shape = StepShape.encode(tokens.size(), longest);
        List<Chunk> chunks = new ArrayList<>();
        tokens.forEach(row -> chunks.add(new Chunk(chunks.size(), 0, row)));
        Map<String, Tensor> slots = StepInputs.of(model.schema(), shape, chunks);
        slots.putAll(requestInputs);
        Tensor out = run(StepSpec.of(ProgramName.ENCODE, shape), slots).get(output);
        return rows(out, out.count() / tokens.size());
    }

    /** The argmax continuations of prompts, stepped together. */
    public final List<int[]> greedy(List<int[]> prompts, int count) throws Exception {
        List<int[]> out = new ArrayList<>();
        Chunk[] next = new Chunk[prompts.size()];
        for (int i = 0; i < next.length; i++) {
            next[i] = new Chunk(i, 0, prompts.get(i));
            out.add(new int[count]);
        }
        for (int t = 0; t < count; t++) {
            float[][] logits = step(next);
            for (int i = 0; i < next.length; i++) {
                out.get(i)[t] = argMax(logits[i]);
                next[i] = new Chunk(i, next[i].start() + next[i].tokens().length, out.get(i)[t]);
            }
        }
        return out;
    }

    @Override
    public void close() {}

    final Graph trace(StepSpec spec) throws TraceException {
        return model.trace(spec, TraceLimits.DEFAULT);
    }

    private static int argMax(float[] x) {
        int best = 0;
        for (int i = 1; i < x.length; i++) {
            best = x[i] > x[best] ? i : best;
        }
        return best;
    }

    private static float[][] rows(Tensor t, int width) {
        float[][] out = new float[t.count() / width][];
        for (int i = 0; i < out.length; i++) {
            out[i] = Arrays.copyOfRange(t.floats(), i * width, (i + 1) * width);
        }
        return out;
    }
}
