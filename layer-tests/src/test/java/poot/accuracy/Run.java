package poot.accuracy;

import java.util.ArrayList;
import java.util.List;
import poot.api.executor.Executor;
import poot.api.model.KvLayout;
import poot.api.model.StepShape;
import poot.golden.OpenModel;
import poot.step.Chunk;
import poot.step.ExecutorSession;
import poot.step.OracleSession;
import poot.step.Session;

/** Given tokens through a model: the logits at every position. */
final class Run {
    private static final int CAPACITY = 256;

    private Run() {}

    /** By the oracle, a sequence a step. */
    static float[][] oracle(OpenModel m, List<int[]> sequences) throws Exception {
        try (Session s = new OracleSession(m.model(), m.weights(), base())) {
            return logits(s, sequences, CAPACITY);
        }
    }

    /** By a backend, at most {@code atMost} tokens a step. */
    static float[][] backend(OpenModel m, List<int[]> sequences, int atMost, Executor executor) throws Exception {
        try (Session s = new ExecutorSession(m.model(), m.weights(), base(), executor)) {
            return logits(s, sequences, atMost);
        }
    }

    private static StepShape base() {
        return StepShape.step(1, 1, CAPACITY).withLayout(new KvLayout.Contiguous(1));
    }

    private static float[][] logits(Session s, List<int[]> sequences, int atMost) throws Exception {
        List<float[]> out = new ArrayList<>();
        for (int[] tokens : sequences) {
            for (int from = 0; from < tokens.length; from += atMost) {
                out.addAll(List.of(s.stepAll(Chunk.of(0, tokens, from, Math.min(tokens.length, from + atMost)))));
            }
        }
        return out.toArray(float[][]::new);
    }
}
