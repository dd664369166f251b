package poot.serve.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import poot.api.driver.AdmitException;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepException;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.Residency;
import poot.api.graph.TensorType;
import poot.api.model.KvForm;
import poot.api.model.LoadException;
import poot.core.driver.Backends;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.serve.config.MemoryAdvice;

/** A checkpoint with a driver prepared for some workloads; measures one turn at a time. */
public final class Workbench implements AutoCloseable {
    private static final int PIECE = 1 << 20;
    /** A small positive number in every float type, and in its bytes a plausible block of a packed one. */
    private static final byte FILLER = 0x3c;

    private final ModelHandle handle;
    private final WatchedExecutor executor;
    private final ServingDriver driver;
    private final double loadSeconds;

    private Workbench(ModelHandle handle, WatchedExecutor executor, ServingDriver driver, double loadSeconds) {
        this.handle = handle;
        this.executor = executor;
        this.driver = driver;
        this.loadSeconds = loadSeconds;
    }

    /**
     * How to prepare.
     *
     * @param backend its name, empty for the best available
     * @param threads worker threads asked for; 0 for the backend's own
     * @param workers threads of the machine that measure its limits, and that another engine is given
     * @param weights where a CPU reads weights
     * @param kv      how keys and values are cached
     * @param chunk   prompt tokens of a step at most
     */
    public record Setup(String backend, int threads, int workers, Residency weights, KvForm kv, int chunk) {}

    /** Loads a checkpoint and prepares a driver for workloads of up to that many rows and positions. */
    public static Workbench open(Path file, Setup setup, int rows, int capacity) throws BenchException, LoadException, ExecutorException {
        long begin = System.nanoTime();
        Workbench bench = null;
        ModelHandle handle = ModelHandle.load(file, Families.registry(), LoadOptions.DEFAULT);
        WatchedExecutor executor = null;
        try {
            int made = handle.model().config().contextLength();
            if (capacity > made) {
                throw new BenchException(file + " was made for " + made + " positions and " + capacity
                        + " are asked for; give smaller numbers, or delete it if an older version wrote it");
            }
            ExecutorOptions options = new ExecutorOptions(setup.threads(), setup.weights());
            Executor own = setup.backend().isEmpty() ? Backends.best(options) : Backends.open(setup.backend(), options);
            executor = new WatchedExecutor(own);
            ServingDriver driver = prepare(handle, executor, DriverOptions.DEFAULT.withRows(rows).withCapacity(capacity)
                    .withKv(setup.kv()).withPrefillChunk(setup.chunk()).withHeads(EnumSet.of(HeadKind.GREEDY)));
            bench = new Workbench(handle, executor, driver, (System.nanoTime() - begin) / 1e9);
            bench.fillCache();
            return bench;
        } finally {
            if (bench == null) {
                if (executor != null) {
                    executor.close();
                }
                handle.close();
            }
        }
    }

    private static ServingDriver prepare(ModelHandle handle, Executor executor, DriverOptions options) throws BenchException {
        return switch (Driver.over(handle, executor, options).prepare()) {
            case Preparation.Ready r -> r.driver();
            case Preparation.Refused r -> {
                r.driver().close();
                throw new BenchException(MemoryAdvice.message(r.fault()));
            }
        };
    }

    /** Writes every slot of the cache, so that reading it reads memory: a page never written costs nothing to read. */
    private void fillCache() throws ExecutorException {
        for (String name : handle.model().schema().cached(driver.options().cache().kv()).keySet()) {
            TensorType type = executor.types().get(name);
            if (type != null && type.bytes() > 0) {
                fill(name, type.shape().dim(0), type.bytes() / type.shape().dim(0));
            }
        }
    }

    private void fill(String state, int units, long unit) throws ExecutorException {
        long piece = Math.max(1, PIECE / unit);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(Math.min(units, piece) * unit).fill(FILLER);
            for (long at = 0; at < units; at += piece) {
                executor.states().write(state, at, bytes.asSlice(0, Math.min(piece, units - at) * unit));
            }
        }
    }

    /** Seconds from opening the checkpoint until the driver was prepared. */
    public double loadSeconds() {
        return loadSeconds;
    }

    /** The greatest number of prompt tokens of a step. */
    public int chunk() {
        return Math.min(driver.options().passes().prefillChunk(), driver.options().cache().capacity());
    }

    /** Bytes held beyond the mapped weights. */
    public long retainedBytes() {
        return driver.retainedBytes();
    }

    /** The step that the last turn ended with. */
    public StepFacts facts() {
        return StepFacts.of(executor.last());
    }

    /** Runs a workload once: the seconds it took. */
    public double turn(Workload workload) throws BenchException, AdmitException, StepException {
        return switch (workload) {
            case Workload.Prompt p -> prompt(p.tokens());
            case Workload.Continuation c -> continuation(c);
        };
    }

    private double prompt(int tokens) throws BenchException, AdmitException, StepException {
        Sequence sequence = driver.open(SeqRequest.of(ids(tokens, 0)));
        try {
            long begin = System.nanoTime();
            while (sequence.pending() > 0) {
                step(List.of(sequence), Integer.MAX_VALUE);
            }
            return (System.nanoTime() - begin) / 1e9;
        } finally {
            driver.release(sequence);
        }
    }

    /** Fills the rows by passing over the steps that would; the first token, and the first measured, run for all rows. */
    private double continuation(Workload.Continuation c) throws BenchException, AdmitException, StepException {
        List<Sequence> rows = new ArrayList<>();
        try {
            for (int r = 0; r < c.rows(); r++) {
                Sequence s = driver.open(SeqRequest.of(ids(c.context() + 1, r)));
                rows.add(s);
                fill(s);
            }
            int[] tokens = step(rows, 1);
            long begin = System.nanoTime();
            for (int i = 0; i < c.each(); i++) {
                for (int r = 0; r < rows.size(); r++) {
                    driver.commit(rows.get(r), tokens[r]);
                }
                tokens = step(rows, 1);
            }
            return (System.nanoTime() - begin) / 1e9;
        } finally {
            rows.forEach(driver::release);
        }
    }

    private void fill(Sequence s) throws BenchException, StepException {
        executor.pass(true);
        try {
            while (s.pending() > 1) {
                step(List.of(s), s.pending() - 1);
            }
        } finally {
            executor.pass(false);
        }
    }

    /** Steps the rows; the token picked in each, or -1 where prompt tokens are pending. */
    private int[] step(List<Sequence> rows, int atMost) throws BenchException, StepException {
        List<RowResult> results = driver.step(rows.stream().map(s -> new RowWork(s, atMost)).toList());
        int[] tokens = new int[results.size()];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = switch (results.get(i)) {
                case RowResult.Fed _ -> -1;
                case RowResult.Picked p -> p.pick().token();
                case RowResult.Logits _ -> throw new BenchException("the driver gave logits where a token was asked for");
                case RowResult.Failed f -> throw new BenchException(f.fault().message());
            };
        }
        return tokens;
    }

    private int[] ids(int count, int row) {
        int vocabulary = driver.config().vocabulary();
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            ids[i] = (int) ((i * 7919L + row * 104729L + 13) % vocabulary);
        }
        return ids;
    }

    @Override
    public void close() {
        driver.close();
        executor.close();
        handle.close();
    }
}
