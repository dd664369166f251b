package poot.core.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import poot.api.driver.RowWork;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepException;

/**
 * Plans one step: first every row with one token to feed, then chunks of the oldest prompts while the step has tokens
 * left, but no row what an older one that it shares a beginning with is fed in the same step; blocks are reserved row by
 * row. Where the pool is dry the youngest row that holds blocks, and is younger than the one that needs them, gives its
 * own back. So an older row never waits for a younger one, and the oldest goes on in every step.
 */
final class StepPlan {
    private final ServingDriver driver;
    private final EngineOptions options;
    private final Rows rows;
    private final Chunks chunks;
    private final Map<Row, Integer> work = new LinkedHashMap<>();
    private int decoding;
    private int preempted;

    StepPlan(ServingDriver driver, EngineOptions options, Rows rows) {
        this.driver = driver;
        this.options = options;
        this.rows = rows;
        this.chunks = new Chunks(Math.min(driver.options().passes().prefillChunk(), driver.options().cache().capacity()));
    }

    /** Plans the next step; rows may be suspended, or end, for it. */
    void make() {
        work.clear();
        preempted = 0;
        List<Row> all = rows.all();
        for (Row row : all) {
            if (row.running() && row.sequence().pending() == 1) {
                place(row, 1);
            }
        }
        int left = budget();
        for (Row row : all) {
            if (!row.running() || row.ended() || row.sequence().pending() == 1 || awaits(row)) {
                continue;
            }
            int n = chunks.take(row.sequence().pending(), left);
            if (n == 0 || !place(row, n) && !row.ended()) {
                break;
            }
            left -= chunks.cost(n);
        }
        decoding = (int) work.values().stream().filter(n -> n == 1).count();
    }

    /**
     * Whether a row begins with tokens that an older row is fed in this very step: it finds them after it, and is not fed
     * them too. It waits for no other reason, so that it comes as far as the older row does.
     */
    private boolean awaits(Row row) {
        rows.lookUp(row);
        Sequence s = row.sequence();
        if (row.ended() || !s.shares() || s.fed() > s.reused()) {
            return false;
        }
        int[] tokens = s.tokens();
        return work.entrySet().stream().anyMatch(e -> e.getValue() > 1 && fills(e.getKey().sequence(), e.getValue(), tokens, s.fed()));
    }

    /** Whether the next {@code count} tokens of a sequence fill a block with tokens of others' after {@code held}. */
    private boolean fills(Sequence older, int count, int[] tokens, int held) {
        if (!older.shares()) {
            return false;
        }
        int[] before = older.tokens();
        int end = Math.min(Math.min(older.fed() + count, before.length), tokens.length - 1);
        int differs = Arrays.mismatch(before, 0, end, tokens, 0, end);
        int alike = differs < 0 ? end : differs;
        int positions = driver.cache().positions();
        return alike / positions > Math.max(held, older.fed()) / positions;
    }

    /** Prompt tokens the step may take beside the rows placed so far. */
    private int budget() {
        int all = options.stepTokens() - work.size();
        return Math.max(chunks.least(), work.isEmpty() ? all : Math.min(all, options.sharedTokens()));
    }

    /** Places a row where blocks for its next tokens are to be had; whether it was. */
    private boolean place(Row row, int tokens) {
        try {
            while (!row.ended() && !driver.reserve(row.sequence(), tokens)) {
                Row victim = victim(row);
                if (victim == row) {
                    waits(row);
                    return false;
                }
                work.remove(victim);
                preempted += victim.started() ? 1 : 0;
                rows.suspend(victim);
            }
        } catch (StepException e) {
            rows.fail(row, e.fault());
        }
        if (row.ended()) {
            return false;
        }
        rows.placed(row);
        work.put(row, tokens);
        return true;
    }

    /** The youngest row that holds blocks and is younger than {@code row}; the row itself where there is none. */
    private Row victim(Row row) {
        List<Row> all = rows.all();
        for (int i = all.size() - 1; all.get(i) != row; i--) {
            if (all.get(i).holding()) {
                return all.get(i);
            }
        }
        return row;
    }

    /** Older rows hold all blocks: the row waits for them. Where none does, the pool is too small for it. */
    private void waits(Row row) {
        List<Row> all = rows.all();
        if (all.subList(0, all.indexOf(row)).stream().noneMatch(Row::holding)) {
            rows.end(row, End.CAPACITY);
        }
    }

    boolean isEmpty() {
        return work.isEmpty();
    }

    /** The rows of the step. */
    List<Row> rowsOf() {
        return List.copyOf(work.keySet());
    }

    /** What the driver is to do for them, in the same order. */
    List<RowWork> work() {
        List<RowWork> out = new ArrayList<>();
        work.forEach((row, n) -> out.add(new RowWork(row.sequence(), n)));
        return out;
    }

    int tokens() {
        return work.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Rows of the step that feed one token. */
    int decoding() {
        return decoding;
    }

    int preempted() {
        return preempted;
    }
}
