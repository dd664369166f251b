package poot.core.engine;

import java.util.List;
import poot.api.driver.CacheUse;
import poot.api.driver.DriverOptions.Blocks;
import poot.api.driver.ServingDriver;

/**
 * Whether a row may begin to take blocks: while all it has to feed fits beside what the rows before it were let in for,
 * and a block for each to grow into. So a row let in is rarely put out again. The oldest row is always let in.
 */
final class Gate {
    private final ServingDriver driver;
    private final boolean pooled;

    Gate(ServingDriver driver) {
        this.driver = driver;
        this.pooled = driver.options().cache().blocks() instanceof Blocks.Pool;
    }

    /** Whether {@code row}, one of {@code rows}, is let in. */
    boolean admits(Row row, List<Row> rows) {
        if (!pooled || rows.getFirst() == row) {
            return true;
        }
        CacheUse use = driver.cache();
        long needed = 1 + blocks(row.sequence().pending(), use);
        for (Row r : rows) {
            if (r.running()) {
                int pending = r.sequence().pending();
                needed += 1 + (pending > 1 ? blocks(pending, use) : 0);
            }
        }
        return needed <= use.available();
    }

    private static int blocks(int positions, CacheUse use) {
        return Math.ceilDiv(positions, use.positions());
    }
}
