package poot.parity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.golden.OpenModel;
import poot.step.Serving;

/**
 * Sequences fed and decoded together give each the bits it gives alone.
 *
 * @param rows   how many
 * @param prompt tokens of the longest prompt
 * @param steps  tokens decoded after it
 * @param atMost tokens of a prompt fed at a time; where they are several, so are those of every prompt
 */
record Company(int rows, int prompt, int steps, int atMost) {
    /** Prompts fed token by token. */
    Company(int rows, int prompt, int steps) {
        this(rows, prompt, steps, 1);
    }

    private DriverOptions options() {
        return DriverOptions.DEFAULT.withRows(rows).withCapacity(64).withPrefillChunk(8).withHeads(EnumSet.of(HeadKind.LOGITS));
    }

    /** The executor is closed. */
    void isNoMatter(String name, OpenModel m, Executor device) throws Exception {
        try (device; ServingDriver d = Serving.open(m.handle(), device, options())) {
            int vocabulary = m.model().config().vocabulary();
            Random random = new Random(5);
            List<SeqRequest> requests = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                requests.add(SeqRequest.of(random.ints(tokens(i), 1, vocabulary).toArray()).withLogits());
            }
            List<List<float[]>> together = steps(d, requests, vocabulary, 0);
            for (int i = 0; i < rows; i += Math.max(1, rows / 4)) {
                List<List<float[]>> alone = steps(d, requests.subList(i, i + 1), vocabulary, i);
                for (int s = 0; s < alone.size(); s++) {
                    assertArrayEquals(alone.get(s).getFirst(), together.get(s).get(i), name + " row " + i + " of " + rows + ", step " + s);
                }
            }
        }
    }

    private int tokens(int row) {
        return atMost == 1 ? 1 + (row + 1) % prompt : 2 + row % (prompt - 1);
    }

    /** The logits of each step; the first request is number {@code first}. */
    private List<List<float[]>> steps(ServingDriver d, List<SeqRequest> requests, int vocabulary, int first) throws Exception {
        List<Sequence> open = new ArrayList<>();
        for (SeqRequest r : requests) {
            open.add(d.open(r));
        }
        List<List<float[]>> out = new ArrayList<>();
        for (int step = 0; step <= steps; step++) {
            out.add(Serving.logits(d, open, atMost));
            for (int i = 0; i < open.size(); i++) {
                d.commit(open.get(i), 1 + ((first + i) * 31 + step * 7) % (vocabulary - 1));
            }
        }
        open.forEach(d::release);
        return out;
    }
}
