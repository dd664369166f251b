package poot.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepFault;
import poot.core.engine.End;
import poot.core.engine.Engine;
import poot.core.engine.EngineFault;
import poot.core.engine.EngineOptions;
import poot.core.engine.Event;
import poot.core.engine.Ticket;

/** Requests that break a validation or make logits that are not finite, among others: each fails alone. */
class EngineFaultsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static List<Event> read(Ticket t) throws InterruptedException {
        List<Event> out = new ArrayList<>();
        do {
            out.add(t.next(LONG).orElseThrow());
        } while (!out.getLast().last());
        return out;
    }

    private static StepFault fault(Ticket t) throws InterruptedException {
        return assertInstanceOf(EngineFault.Step.class, assertInstanceOf(Event.Failed.class, read(t).getLast()).fault()).fault();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theOthersGoOnAsIfNothingHadBeen(boolean recurrent) throws Exception {
        ToyModel model = new ToyModel(recurrent, List.of());
        List<SeqRequest> well = List.of(
                SeqRequest.of(4, 5, 6),
                SeqRequest.of(7, 8).withSampling(SamplingParams.draw(1.2f, 5)),
                SeqRequest.of(9, 10, 11).withSampling(SamplingParams.GREEDY.withRepetition(1.4f).withFrequency(0.5f)));
        GenerateLimits limits = new GenerateLimits(24, Set.of());
        List<int[]> alone = new ArrayList<>();
        try (ServingDriver d = Toy.serving(model, Toy.OPTIONS.withRows(1))) {
            for (SeqRequest r : well) {
                alone.add(d.generate(r, limits, t -> true).tokens());
            }
        }
        ServingDriver driver = Toy.serving(model, Toy.OPTIONS);
        try (Engine engine = Engine.start(driver, EngineOptions.DEFAULT)) {
            List<Ticket> tickets = new ArrayList<>();
            for (SeqRequest r : well) {
                tickets.add(engine.submit(r, limits));
            }
            for (int i = 0; i < 6; i++) {
                assertInstanceOf(StepFault.Invalid.class, fault(engine.submit(SeqRequest.of(ToyModel.REFUSED), limits)));
                assertInstanceOf(StepFault.NonFinite.class, fault(engine.submit(SeqRequest.of(3, ToyModel.SPOILT), limits)));
            }
            for (int i = 0; i < tickets.size(); i++) {
                List<Event> events = read(tickets.get(i));
                assertEquals(End.LENGTH, assertInstanceOf(Event.Ended.class, events.getLast()).end());
                int[] tokens = events.stream().filter(Event.Token.class::isInstance)
                        .mapToInt(e -> ((Event.Token) e).pick().token()).toArray();
                assertArrayEquals(alone.get(i), tokens, "request " + i);
            }
            assertTrue(engine.drain(LONG));
            assertTrue(engine.status().cache().used() == 0 && driver.freeRows() == 4);
            assertEquals(12, engine.status().totals().failed());
        }
    }
}
