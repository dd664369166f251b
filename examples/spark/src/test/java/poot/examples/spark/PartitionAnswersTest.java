package poot.examples.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import poot.core.engine.EngineTotals;

/** A partition's lines over a shared engine, without Spark. */
class PartitionAnswersTest {
    private static final Settings SETTINGS =
            Settings.DEFAULT.withModel(Alone.demoModel().toString()).withRows(4).withInFlight(5).withTokens(12);

    private final EngineHolder holder = new EngineHolder();

    @AfterEach
    void closeHolder() {
        holder.close();
    }

    @Test
    void linesInFlightAreBoundedAndShareSteps() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        Iterator<String> counted = Lines.PROMPTS.stream().peek(_ -> taken.incrementAndGet()).iterator();
        List<String> answers = new ArrayList<>();
        EngineHolder.Lease lease = holder.lease(SETTINGS.engine());
        try (PartitionAnswers partition = new PartitionAnswers(counted, SETTINGS, lease)) {
            while (partition.hasNext()) {
                answers.add(partition.next());
                int ahead = taken.get() - answers.size();
                // Submitted and not yet read, and one that a stream's iterator looks ahead.
                assertTrue(ahead <= SETTINGS.inFlight(), () -> ahead + " lines ahead");
            }
        }
        assertEquals(Lines.PROMPTS, answers.stream().map(a -> Lines.read(a).get("prompt")).toList());
        EngineTotals totals = lease.shared().engine().status().totals();
        assertTrue(2 * totals.steps() < totals.generated(),
                () -> totals.steps() + " steps for " + totals.generated() + " tokens");
    }

    @Test
    void aFullQueueIsWaitedFor() throws Exception {
        Settings many = SETTINGS.withInFlight(400).withTokens(1);
        List<String> lines = IntStream.range(0, 600).mapToObj(i -> "What is " + i % 10 + " plus 1?").toList();
        int answers = 0;
        try (PartitionAnswers partition = new PartitionAnswers(lines.iterator(), many, holder.lease(many.engine()))) {
            while (partition.hasNext()) {
                assertFalse(Lines.read(partition.next()).containsKey("error"));
                answers++;
            }
        }
        assertEquals(lines.size(), answers);
    }

    @Test
    void partitionsShareAnEngineUntilItEnds() throws Exception {
        EngineHolder.Lease first = holder.lease(SETTINGS.engine());
        EngineHolder.Lease second = holder.lease(SETTINGS.engine());
        assertSame(first.shared(), second.shared());

        PartitionAnswers partition = new PartitionAnswers(Lines.PROMPTS.iterator(), SETTINGS, first);
        partition.next();
        first.shared().engine().drain(Duration.ZERO);
        assertThrows(EngineLostException.class, () -> partition.forEachRemaining(_ -> { }));
        partition.close();

        EngineHolder.Lease third = holder.lease(SETTINGS.engine());
        assertNotSame(second.shared(), third.shared());
        assertEquals(2, holder.starts());
        second.close();
        second.close();
        third.close();
    }

    @Test
    void aPartitionThatEndsEarlyLeavesNothingRunning() throws Exception {
        EngineHolder.Lease lease = holder.lease(SETTINGS.engine());
        PartitionAnswers partition = new PartitionAnswers(Lines.PROMPTS.iterator(), SETTINGS.withTokens(400), lease);
        partition.next();
        partition.close();
        assertTrue(lease.shared().engine().drain(Duration.ofSeconds(20)), "cancelled requests end");
        assertEquals(0, lease.shared().engine().status().running());
    }

    @Test
    void aClosedHolderStartsNothing() {
        holder.close();
        assertThrows(EngineLostException.class, () -> holder.lease(SETTINGS.engine()));
    }
}
