package poot.backend.cpu.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Every item is done once, by whichever worker; a failure of any worker reaches the caller, and the team goes on. */
class TeamTest {
    @Test
    void everyItemIsDoneOnce() {
        for (int size : new int[] {1, 2, 5}) {
            try (Team team = new Team(size)) {
                for (int items : new int[] {0, 1, 2, 7, 64, 1000}) {
                    for (long grain : new long[] {1, 3, 2000}) {
                        AtomicIntegerArray done = new AtomicIntegerArray(items);
                        team.run((worker, from, to) -> {
                            assertTrue(worker >= 0 && worker < size && to - from > 0);
                            for (long i = from; i < to; i++) {
                                done.incrementAndGet((int) i);
                            }
                        }, items, grain);
                        for (int i = 0; i < items; i++) {
                            assertEquals(1, done.get(i), size + " workers, item " + i + " of " + items);
                        }
                    }
                }
            }
        }
    }

    @Test
    void aSlowShareIsTakenByTheOthers() {
        try (Team team = new Team(2)) {
            AtomicIntegerArray by = new AtomicIntegerArray(2);
            team.run((worker, from, to) -> {
                by.incrementAndGet(worker);
                if (from < 50) {
                    Thread.yield();
                }
            }, 100, 1);
            assertEquals(100, by.get(0) + by.get(1));
        }
    }

    @Test
    void aFailureReachesTheCallerAndTheTeamGoesOn() {
        try (Team team = new Team(3)) {
            for (int failing = 0; failing < 30; failing += 7) {
                int item = failing;
                IllegalStateException e = assertThrows(IllegalStateException.class, () -> team.run((worker, from, to) -> {
                    if (from == item) {
                        throw new IllegalStateException("item " + item);
                    }
                }, 30, 1));
                assertEquals("item " + item, e.getMessage());
            }
        }
    }

    @Test
    void parkedWorkersWake() throws InterruptedException {
        try (Team team = new Team(3)) {
            for (int i = 0; i < 5; i++) {
                Thread.sleep(3);
                AtomicIntegerArray done = new AtomicIntegerArray(1);
                team.run((worker, from, to) -> done.addAndGet(0, (int) (to - from)), 90, 1);
                assertEquals(90, done.get(0));
            }
        }
    }
}
