package poot.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import poot.acceptance.Repository;
import poot.api.driver.DriverOptions;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.core.engine.Engine;
import poot.core.engine.EngineOptions;
import poot.core.engine.Event;
import poot.core.engine.Ticket;
import poot.families.Families;
import poot.golden.OpenModel;
import poot.step.Backend;
import poot.step.Serving;

/**
 * Requests that draw their tokens with a seed, together through the engine: a device gives each the tokens that the CPU
 * gives it, whatever of the distribution is kept and however logits are adjusted.
 */
abstract class DrawnRequestsSuite {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final SamplingParams WHOLE = SamplingParams.draw(1.3f, 5);
    private static final List<SamplingParams> RULES = List.of(WHOLE, SamplingParams.draw(0.9f, 1).withTopP(0.9f),
            SamplingParams.draw(1.4f, 2).withTopK(40).withMinP(0.02f), SamplingParams.draw(1.6f, 3).withTopP(0.95f).withRepetition(1.3f),
            SamplingParams.draw(1.5f, 4).withPresence(0.7f).withFrequency(0.4f), SamplingParams.GREEDY.withRepetition(1.5f),
            SamplingParams.draw(1.2f, 6).withBias(new TreeMap<>(Map.of(40, 3f, 77, 2.5f))), SamplingParams.GREEDY);

    private final int rules;
    private final int tokens;

    /**
     * @param rules  how many kinds of requests
     * @param tokens of each at most
     */
    DrawnRequestsSuite(int rules, int tokens) {
        this.rules = rules;
        this.tokens = tokens;
    }

    /** Opens the device. */
    abstract Executor open() throws ExecutorException;

    @Test
    void aDeviceDrawsWhatTheCpuDraws() throws Exception {
        try (Executor device = open(); Executor cpu = Backend.CPU.open(); OpenModel m = OpenModel.open(Repository.demoModel(), Families.registry())) {
            List<List<Integer>> expected = answers(m, cpu);
            List<List<Integer>> actual = answers(m, device);
            for (int i = 0; i < rules; i++) {
                assertEquals(expected.get(i), actual.get(i), RULES.get(i).toString());
            }
            assertTrue(new HashSet<>(expected).size() > rules / 2, "the rules differ: " + expected);
        }
    }

    private List<List<Integer>> answers(OpenModel m, Executor executor) throws Exception {
        int[] prompt = new Random(11).ints(9, 3, m.model().config().vocabulary()).toArray();
        DriverOptions options = DriverOptions.DEFAULT.withRows(3).withCapacity(64).withPrefillChunk(16).withLogprobs(0)
                .withHeads(EnumSet.of(HeadKind.GREEDY, HeadKind.SAMPLE)).withPool(12, 16, true);
        try (Engine engine = Engine.start(Serving.open(m.handle(), executor, options), EngineOptions.DEFAULT)) {
            List<Ticket> tickets = new ArrayList<>();
            for (SamplingParams s : RULES.subList(0, rules)) {
                tickets.add(engine.submit(SeqRequest.of(prompt).withSampling(s), new GenerateLimits(tokens, Set.of())));
            }
            List<List<Integer>> out = new ArrayList<>();
            for (Ticket t : tickets) {
                out.add(tokens(t));
            }
            return out;
        }
    }

    private static List<Integer> tokens(Ticket ticket) throws InterruptedException {
        List<Integer> out = new ArrayList<>();
        while (true) {
            switch (ticket.next(LONG).orElseThrow(() -> new AssertionError("nothing came"))) {
                case Event.Started _ -> { }
                case Event.Token t -> out.add(t.pick().token());
                case Event.Ended _ -> {
                    return out;
                }
                case Event.Failed f -> throw new AssertionError(f.fault().message());
            }
        }
    }
}
