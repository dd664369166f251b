package poot.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.api.driver.GenerateLimits;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;

/** Sequences that come, are fed in random cuts and company, and go: each is continued as it would be alone. */
class RandomServingTest {
    private static final int STEPS = 120;

    private final Random random = new Random(11);

    private record Live(SeqRequest request, Sequence sequence, int prompt) {}

    private SeqRequest request() {
        int[] prompt = new int[1 + random.nextInt(12)];
        Arrays.setAll(prompt, i -> 1 + random.nextInt(ToyModel.SPOILT - 1));
        SamplingParams s = switch (random.nextInt(4)) {
            case 0 -> SamplingParams.draw(0.8f, random.nextLong()).withTopP(0.9f);
            case 1 -> SamplingParams.GREEDY.withRepetition(1.3f).withFrequency(0.2f);
            default -> SamplingParams.GREEDY;
        };
        return SeqRequest.of(prompt).withSampling(s);
    }

    @Test
    void everySequenceIsContinuedAsAlone() throws Exception {
        try (ServingDriver d = Toy.serving(new ToyModel(true, List.of()), Toy.OPTIONS);
                ServingDriver alone = Toy.serving(new ToyModel(true, List.of()), Toy.OPTIONS.withRows(1))) {
            List<Live> live = new ArrayList<>();
            int finished = 0;
            for (int step = 0; step < STEPS; step++) {
                if (d.freeRows() > 0 && random.nextInt(3) > 0) {
                    SeqRequest r = request();
                    live.add(new Live(r, d.open(r), r.prompt().length));
                }
                List<RowWork> work = new ArrayList<>();
                for (Live l : live) {
                    if (random.nextInt(4) > 0) {
                        work.add(new RowWork(l.sequence, 1 + random.nextInt(10)));
                    }
                }
                for (RowResult r : d.step(work)) {
                    if (r instanceof RowResult.Picked p) {
                        d.commit(p.sequence(), p.pick().token());
                    } else {
                        assertInstanceOf(RowResult.Fed.class, r, r.toString());
                    }
                }
                for (Live l : List.copyOf(live)) {
                    if (l.sequence.tokens().length >= 28 || random.nextInt(25) == 0) {
                        finished += check(alone, l);
                        d.release(l.sequence);
                        live.remove(l);
                    }
                }
                assertEquals(4, d.freeRows() + live.size());
            }
            assertEquals(true, finished > 10, finished + " sequences were compared");
        }
    }

    private static int check(ServingDriver alone, Live l) throws Exception {
        int[] tokens = l.sequence.tokens();
        if (tokens.length == l.prompt) {
            return 0;
        }
        int[] expected = alone.generate(l.request, new GenerateLimits(tokens.length - l.prompt, Set.of()), t -> true).tokens();
        assertArrayEquals(expected, Arrays.copyOfRange(tokens, l.prompt, tokens.length));
        return 1;
    }
}
