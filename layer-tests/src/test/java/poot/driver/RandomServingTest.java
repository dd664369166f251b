package poot.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import poot.api.driver.StepFault;

/** Sequences that come, are fed in random cuts and company, and go: each is continued as it would be alone. */
class RandomServingTest {
    private static final int STEPS = 120;

    private final Random random = new Random(11);

    private record Live(SeqRequest request, Sequence sequence, int prompt) {}

    private SeqRequest request() {
        int[] prompt = new int[1 + random.nextInt(12)];
        boolean common = random.nextBoolean();
        Arrays.setAll(prompt, i -> common && i < 8 ? 3 * i + 1 : 1 + random.nextInt(ToyModel.SPOILT - 1));
        SamplingParams s = switch (random.nextInt(4)) {
            case 0 -> SamplingParams.draw(0.8f, random.nextLong()).withTopP(0.9f);
            case 1 -> SamplingParams.GREEDY.withRepetition(1.3f).withFrequency(0.2f);
            default -> SamplingParams.GREEDY;
        };
        return SeqRequest.of(prompt).withSampling(s);
    }

    /** The same over a pool that runs dry: rows are suspended for others, share beginnings, and the books hold. */
    @Test
    void everySequenceOfASmallPoolIsContinuedAsAlone() throws Exception {
        for (boolean recurrent : new boolean[] {false, true}) {
            try (ServingDriver d = Toy.serving(new ToyModel(recurrent, List.of()), Toy.OPTIONS.withPool(11, 4, true));
                    ServingDriver alone = Toy.serving(new ToyModel(recurrent, List.of()), Toy.OPTIONS.withRows(1))) {
                int finished = 0;
                int dry = 0;
                List<Live> live = new ArrayList<>();
                for (int step = 0; step < 2 * STEPS; step++) {
                    if (d.freeRows() > 0) {
                        SeqRequest r = request();
                        live.add(new Live(r, d.open(r), r.prompt().length));
                    }
                    List<RowWork> work = live.stream().filter(l -> random.nextInt(4) > 0)
                            .map(l -> new RowWork(l.sequence, 1 + random.nextInt(10))).toList();
                    for (RowResult r : d.step(work)) {
                        switch (r) {
                            case RowResult.Picked p -> d.commit(p.sequence(), p.pick().token());
                            case RowResult.Fed f -> { }
                            case RowResult.Failed f -> {
                                assertInstanceOf(StepFault.PoolDry.class, f.fault(), f.fault().message());
                                d.suspend(live.get(random.nextInt(live.size())).sequence);
                                dry++;
                            }
                            case RowResult.Logits l -> throw new AssertionError("logits");
                        }
                        d.checkIntegrity();
                    }
                    for (Live l : List.copyOf(live)) {
                        if (l.sequence.tokens().length >= 28 || random.nextInt(25) == 0) {
                            finished += check(alone, l);
                            d.release(l.sequence);
                            live.remove(l);
                        }
                    }
                }
                assertTrue(finished > 15 && dry > 15, finished + " sequences were compared, " + dry + " times the pool was dry");
                assertTrue(recurrent == (d.cache().hits() == 0), d.cache().toString());
                live.forEach(l -> d.release(l.sequence));
                d.checkIntegrity();
                assertEquals(0, d.cache().used());
            }
        }
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
