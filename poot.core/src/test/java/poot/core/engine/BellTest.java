package poot.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import poot.api.driver.GenerateLimits;
import poot.api.driver.SeqRequest;

/** One consumer of several tickets. */
@Timeout(60)
class BellTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void ringsAreKeptUntilSomebodyWaitsAndAreOne() throws Exception {
        Bell bell = new Bell();
        assertFalse(bell.await(Duration.ZERO));
        assertFalse(bell.await(Duration.ofMillis(5)));
        bell.ring();
        bell.ring();
        assertTrue(bell.await(LONG));
        assertFalse(bell.await(Duration.ZERO));
    }

    @Test
    void aTicketWithEventsRingsAtOnceAndThenAtEachNewOne() throws Exception {
        Stepped stepped = new Stepped(new FakeDriver(FakeDriver.options(2, 64, 16)), EngineOptions.DEFAULT);
        Job job = stepped.submit(SeqRequest.of(1, 2, 3), 2);
        Bell bell = new Bell();
        job.hang(bell);
        assertFalse(bell.await(Duration.ZERO), "nothing has happened yet");
        stepped.round();
        assertTrue(bell.await(Duration.ZERO));
        Bell other = new Bell();
        job.hang(other);
        assertTrue(other.await(Duration.ZERO), "what happened before waits");
        stepped.finish();
        assertTrue(other.await(Duration.ZERO));
        assertFalse(bell.await(Duration.ZERO), "it was replaced");
    }

    @Test
    void aConsumerOfManyTicketsIsWokenByEventsAlone() throws Exception {
        FakeDriver driver = new FakeDriver(FakeDriver.options(4, 256, 32).withPool(40, 16, true));
        Bell bell = new Bell();
        try (Engine engine = Engine.start(driver, EngineOptions.DEFAULT)) {
            List<Ticket> open = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                Ticket t = engine.submit(SeqRequest.of(1, i + 1), new GenerateLimits(20, Set.of()));
                t.hang(bell);
                open.add(t);
            }
            int events = 0;
            int woken = 0;
            while (!open.isEmpty()) {
                for (Ticket t : List.copyOf(open)) {
                    for (Optional<Event> e = t.next(Duration.ZERO); e.isPresent(); e = t.next(Duration.ZERO)) {
                        events++;
                        if (e.get().last()) {
                            open.remove(t);
                        }
                    }
                }
                if (!open.isEmpty()) {
                    assertTrue(bell.await(LONG), "an event was missed");
                    woken++;
                }
            }
            assertEquals(16 * 22, events, "each starts, gets its tokens, and ends");
            assertTrue(woken <= events, woken + " times for " + events + " events");
        }
    }
}
