package poot.core.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import poot.api.driver.CacheUse;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;

/** Every row owns neighbouring slots for its whole capacity: one block. */
final class OwnRows implements KvMemory {
    private final States states;
    private final List<String> caches;
    private final int rows;
    private final int capacity;
    private final BitSet taken = new BitSet();
    private final BitSet spoilt = new BitSet();

    /** Over the states {@code caches}, of {@code rows * capacity} slots each. */
    OwnRows(States states, List<String> caches, int rows, int capacity) {
        this.states = states;
        this.caches = List.copyOf(caches);
        this.rows = rows;
        this.capacity = capacity;
    }

    @Override
    public void open(OpenSequence s) throws ExecutorException {
        int row = s.row();
        if (spoilt.get(row)) {
            for (String cache : caches) {
                states.clear(cache, (long) row * capacity, (row + 1L) * capacity);
            }
            spoilt.clear(row);
        }
        taken.set(row);
    }

    @Override
    public boolean reserve(OpenSequence s, int tokens) {
        return true;
    }

    @Override
    public int slot(OpenSequence s, int position) {
        return s.row() * capacity + position;
    }

    @Override
    public void table(OpenSequence s, MemorySegment row) {
        row.set(JAVA_INT_UNALIGNED, 0, s.row());
    }

    @Override
    public void fed(OpenSequence s) {
        // its row is its own
    }

    @Override
    public void cut(OpenSequence s) {
        // what is cut off is written again before it is read
    }

    @Override
    public void close(OpenSequence s) {
        taken.clear(s.row());
        spoilt.set(s.row(), s.spoils());
    }

    @Override
    public CacheUse use() {
        int used = taken.cardinality();
        return new CacheUse(rows, rows - used, 0, used, capacity, 0, 0);
    }

    @Override
    public void checkIntegrity(Collection<OpenSequence> open) {
        BitSet owned = new BitSet();
        open.forEach(s -> owned.set(s.row()));
        if (!owned.equals(taken) || owned.cardinality() != open.size()) {
            throw new IllegalStateException("rows " + taken + " are taken, and " + owned + " those of " + open.size() + " sequences");
        }
    }
}
