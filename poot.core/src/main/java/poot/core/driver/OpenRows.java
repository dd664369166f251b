package poot.core.driver;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import poot.api.driver.CacheUse;
import poot.api.driver.DriverOptions;
import poot.api.driver.SeqRequest;
import poot.api.driver.StepFault;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;

/** The open sequences and what each has of the device: a row of the pools, and memory for keys and values. */
final class OpenRows {
    private final Serving owner;
    private final Pools pools;
    private final KvMemory memory;
    private final Set<OpenSequence> open = new HashSet<>();
    private long nextId;

    OpenRows(Serving owner, ModelSchema schema, States states, DriverOptions.Cache cache, int vocabulary) {
        this.owner = owner;
        List<StateSpec> specs = schema.program(ProgramName.STEP).map(ModelSchema.ProgramSchema::states).orElse(List.of());
        this.pools = new Pools(states, specs, cache.rows(), vocabulary);
        List<String> caches = specs.stream().filter(s -> s.extent() == StateSpec.Extent.KV_SLOTS)
                .flatMap(s -> s.names(cache.kv()).stream()).toList();
        this.memory = switch (cache.blocks()) {
            case DriverOptions.Blocks.PerRow own -> new OwnRows(states, caches, cache.rows(), cache.capacity());
            case DriverOptions.Blocks.Pool pool -> new SharedBlocks(states, caches, schema, pool);
        };
    }

    /** Where keys and values lie. */
    KvMemory memory() {
        return memory;
    }

    /** Rows not taken. */
    int free() {
        return pools.free();
    }

    CacheUse use() {
        return memory.use();
    }

    /** A sequence in a free row, which there must be. */
    OpenSequence open(SeqRequest request) throws ExecutorException {
        OpenSequence s = new OpenSequence(owner, nextId++, pools.take(), request);
        boolean done = false;
        try {
            if (request.sampling().readsHistory()) {
                pools.seed(s);
            }
            memory.open(s);
            done = true;
        } finally {
            if (!done) {
                pools.give(s.row());
            }
        }
        open.add(s);
        return s;
    }

    /** Memory for a sequence's next tokens, or why there is none; where the device failed the sequence has too. */
    Optional<StepFault> reserve(OpenSequence s, int tokens) {
        try {
            return memory.reserve(s, tokens) ? Optional.empty() : Optional.of(new StepFault.PoolDry(s.id(), tokens, use()));
        } catch (ExecutorException e) {
            s.fail();
            return Optional.of(new StepFault.Device(e.fault()));
        }
    }

    /** A sequence keeps its row and its tokens, and nothing that was fed. */
    void suspend(OpenSequence s) throws ExecutorException {
        s.suspend();
        memory.cut(s);
        pools.forget(s.row());
    }

    /** A sequence keeps its first tokens. */
    void rewind(OpenSequence s, int length) {
        s.cut(length);
        memory.cut(s);
    }

    /** A sequence ends, if it has not yet. */
    void release(OpenSequence s) {
        if (open.remove(s)) {
            memory.close(s);
            pools.give(s.row());
            s.close();
        }
    }

    /** All sequences end with the driver. */
    void close() {
        open.forEach(OpenSequence::close);
        open.clear();
    }

    void checkIntegrity() {
        if (open.size() + pools.free() != pools.rows()) {
            throw new IllegalStateException(open.size() + " sequences are open and " + pools.free() + " of " + pools.rows() + " rows free");
        }
        memory.checkIntegrity(open);
    }
}
