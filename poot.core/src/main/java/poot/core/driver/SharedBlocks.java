package poot.core.driver;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import poot.api.driver.CacheUse;
import poot.api.driver.DriverOptions;
import poot.api.driver.Feature;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;
import poot.api.model.ModelSchema;
import poot.core.kv.BlockStore;
import poot.core.kv.BlockTable;
import poot.core.kv.KvPool;

/** All rows share one pool of blocks, and where reuse is on, beginnings they have in common. */
final class SharedBlocks implements KvMemory {
    private final KvPool pool;
    private final ModelSchema schema;
    private final boolean reuse;

    /** Over the states {@code caches}, of {@code blocks * positions} slots each. */
    SharedBlocks(States states, List<String> caches, ModelSchema schema, DriverOptions.Blocks.Pool options) {
        this.pool = new KvPool(options.blocks(), options.positions(), new Slots(states, List.copyOf(caches), options.positions()));
        this.schema = schema;
        this.reuse = options.reuse();
    }

    /** The blocks' contents, in the device's states. */
    private record Slots(States states, List<String> caches, int block) implements BlockStore {
        @Override
        public void copy(int from, int to, int positions) throws ExecutorException {
            for (String cache : caches) {
                states.copy(cache, (long) from * block, (long) to * block, positions);
            }
        }

        @Override
        public void clear(int i) throws ExecutorException {
            for (String cache : caches) {
                states.clear(cache, (long) i * block, (i + 1L) * block);
            }
        }
    }

    @Override
    public void open(OpenSequence s) throws ExecutorException {
        s.own(pool.open(), shares(s));
        pool.count(s.shares() ? s.length() : 0, 0);
        boolean done = false;
        try {
            reserve(s, 0);
            done = true;
        } finally {
            if (!done) {
                close(s);
            }
        }
    }

    /** Whether the tokens of a sequence alone decide its keys and values, at each length. */
    private boolean shares(OpenSequence s) {
        Set<Feature> met = EnumSet.of(Feature.PREFIX_REUSE);
        met.addAll(Compatibility.of(s.request()));
        met.addAll(Compatibility.of(schema));
        return reuse && Compatibility.refusal(met).isEmpty();
    }

    /** Tokens of a sequence that need not be fed: not the last, and none that is yet to be counted. */
    private static int sparable(OpenSequence s) {
        int counted = s.request().sampling().readsHistory() ? Math.max(s.prompt(), s.counted()) : s.length();
        return s.shares() ? Math.min(s.length() - 1, counted) : 0;
    }

    @Override
    public boolean reserve(OpenSequence s, int tokens) throws ExecutorException {
        BlockTable table = s.table();
        int before = table.held();
        boolean done = pool.reserve(table, s.held(), s.length(), sparable(s), tokens);
        if (table.held() > before) {
            s.reuse(table.held());
            pool.count(0, table.held() - before);
        }
        return done;
    }

    @Override
    public int slot(OpenSequence s, int position) {
        return s.table().slot(position);
    }

    @Override
    public void table(OpenSequence s, MemorySegment row) {
        s.table().write(row);
    }

    @Override
    public void fed(OpenSequence s) {
        pool.written(s.table(), s.fed());
        if (s.shares()) {
            pool.settle(s.table(), s.held(), s.proven());
        }
    }

    @Override
    public void cut(OpenSequence s) {
        if (s.fed() == 0 && s.table().held() > 0 && s.shares()) {
            pool.count(s.length(), 0);
        }
        pool.cut(s.table(), s.fed(), s.spoils());
    }

    @Override
    public void close(OpenSequence s) {
        pool.cut(s.table(), 0, s.spoils());
    }

    @Override
    public CacheUse use() {
        return pool.use();
    }

    @Override
    public void checkIntegrity(Collection<OpenSequence> open) {
        pool.checkIntegrity(open.stream().map(s -> new KvPool.Open(s.table(), s.held())).toList());
        for (OpenSequence s : open) {
            if (s.table().held() != s.fed() && s.phase() != OpenSequence.Phase.FAILED) {
                throw new IllegalStateException(s + " but its table holds " + s.table().held() + ": " + s.table());
            }
        }
    }
}
