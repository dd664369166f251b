package poot.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import poot.api.model.KvLayout;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StepShape;
import poot.families.Families;
import poot.oracle.Tensor;
import poot.step.Chunk;
import poot.step.Session;

/** What every runner must make of a golden checkpoint: the expected values, however the steps are cut. */
public final class GoldenRuns {
    /** Largest absolute difference from the float64 reference. */
    public static final float TOLERANCE = 2e-4f;

    private static final int CAPACITY = 64;
    private static final int BLOCK = 8;

    /** Opens sessions of a model. */
    @FunctionalInterface
    public interface Opener {
        /** A session with the layout, capacity and cache type of {@code base}. */
        Session open(OpenModel model, StepShape base) throws Exception;
    }

    private GoldenRuns() {}

    /** A decoder's checkpoint in every way its steps can be cut. */
    public static void decoder(GoldenFamilies.Case c, Opener opener) throws Exception {
        Golden g = Golden.read(c.family().name());
        try (OpenModel m = OpenModel.open(g.checkpoint(c.form()), Families.registry())) {
            everyPosition(g, c.variant(), m, opener);
            chunked(g, c.variant(), m, opener);
            tokenByToken(g, c.variant(), m, opener);
            batched(g, c.variant(), m, opener);
        }
    }

    /** An encoder's checkpoint; a Hugging Face form scales its embeddings to unit length. */
    public static void encoder(GoldenFamilies.Case c, Opener opener) throws Exception {
        Golden g = Golden.read(c.family().name());
        try (OpenModel m = OpenModel.open(g.checkpoint(c.form()), Families.registry())) {
            boolean ranks = m.model().schema().program(ProgramName.ENCODE).orElseThrow().outputs().contains(ModelSchema.SCORE);
            boolean unit = !ranks && c.form() == Golden.Form.HF;
            pooled(g, c.variant(), m, ranks ? ModelSchema.SCORE : ModelSchema.EMBEDDING, unit, opener);
        }
    }

    private static StepShape contiguous(int sequences) {
        return StepShape.step(1, 1, CAPACITY).withLayout(new KvLayout.Contiguous(sequences));
    }

    private static StepShape paged(int sequences) {
        return StepShape.step(1, 1, CAPACITY).withLayout(new KvLayout.Paged(sequences * CAPACITY / BLOCK, BLOCK, sequences));
    }

    /** Prompt 0 in one step, every position's logits. */
    public static void everyPosition(Golden g, String variant, OpenModel m, Opener opener) throws Exception {
        try (Session s = opener.open(m, contiguous(1))) {
            float[][] logits = s.stepAll(new Chunk(0, 0, g.prompts().get(0)));
            Tensor expected = g.expected(0, variant);
            int width = expected.shape().dim(1);
            for (int t = 0; t < logits.length; t++) {
                near(Arrays.copyOfRange(expected.floats(), t * width, (t + 1) * width), logits[t], "prompt 0 position " + t);
            }
        }
    }

    /** The longest prompt in chunks of 16 over a paged cache, the last chunk padded. */
    public static void chunked(Golden g, String variant, OpenModel m, Opener opener) throws Exception {
        int[] prompt = g.prompts().get(2);
        try (Session s = opener.open(m, paged(2))) {
            float[][] logits = null;
            for (int from = 0; from < prompt.length; from += 16) {
                Chunk c = Chunk.of(1, prompt, from, Math.min(prompt.length, from + 16));
                logits = s.step(s.base().withRows(1).withTokens(16), List.of(c), Map.of());
            }
            near(g.expected(2, variant).floats(), logits[0], "prompt 2 in chunks");
        }
    }

    /** The middle prompt token by token. */
    public static void tokenByToken(Golden g, String variant, OpenModel m, Opener opener) throws Exception {
        int[] prompt = g.prompts().get(1);
        try (Session s = opener.open(m, contiguous(1))) {
            float[][] logits = null;
            for (int i = 0; i < prompt.length; i++) {
                logits = s.step(Chunk.of(0, prompt, i, i + 1));
            }
            near(g.expected(1, variant).floats(), logits[0], "prompt 1 token by token");
        }
    }

    /** All prompts as rows of one padded step over a paged cache, then their greedy continuations together. */
    public static void batched(Golden g, String variant, OpenModel m, Opener opener) throws Exception {
        try (Session s = opener.open(m, paged(3))) {
            float[][] logits = s.step(new Chunk(0, 0, g.prompts().get(0)), new Chunk(1, 0, g.prompts().get(1)),
                    new Chunk(2, 0, g.prompts().get(2)));
            near(g.expected(1, variant).floats(), logits[1], "prompt 1 in a batch");
            near(g.expected(2, variant).floats(), logits[2], "prompt 2 in a batch");
        }
        try (Session s = opener.open(m, paged(3))) {
            List<int[]> ids = s.greedy(g.prompts(), g.greedy().get(0).length);
            for (int i = 0; i < ids.size(); i++) {
                assertArrayEquals(g.greedy().get(i), ids.get(i), "greedy continuation of prompt " + i);
            }
        }
    }

    /**
     * Every prompt pooled, alone and as padded rows of one pass; with {@code unit}, the checkpoint scales embeddings to
     * unit length, which the expected values are not.
     */
    public static void pooled(Golden g, String variant, OpenModel m, String output, boolean unit, Opener opener) throws Exception {
        try (Session s = opener.open(m, StepShape.encode(1, 1))) {
            float[][] together = s.encode(output, g.prompts(), Map.of());
            for (int i = 0; i < together.length; i++) {
                float[] expected = unit ? unit(g.expected(i, variant).floats()) : g.expected(i, variant).floats();
                near(expected, s.encode(output, List.of(g.prompts().get(i)), Map.of())[0], "prompt " + i + " alone");
                near(expected, together[i], "prompt " + i + " in a batch");
            }
        }
    }

    /** The segments of a pair: 0 up to and including the first separator (id 3), 1 after it. */
    static int[] pairTypes(int... ids) {
        int[] out = new int[ids.length];
        for (int i = 1; i < ids.length; i++) {
            out[i] = ids[i - 1] == 3 ? 1 : out[i - 1];
        }
        return out;
    }

    /** A vector scaled to unit length. */
    static float[] unit(float[] x) {
        double squares = 0;
        for (float v : x) {
            squares += (double) v * v;
        }
        float[] out = new float[x.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = (float) (x[i] / Math.sqrt(squares));
        }
        return out;
    }

    /** Checks the largest absolute difference. */
    static void near(float[] expected, float[] actual, String what) {
        float worst = 0;
        assertTrue(expected.length == actual.length, what + ": " + actual.length + " values");
        for (int i = 0; i < expected.length; i++) {
            float d = Math.abs(expected[i] - actual[i]);
            worst = Float.isNaN(d) ? Float.POSITIVE_INFINITY : Math.max(worst, d);
        }
        assertTrue(worst <= TOLERANCE, what + " differs by " + worst);
    }
}
