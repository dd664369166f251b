package poot.core.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import poot.api.driver.AdmitException;
import poot.api.driver.AdmitFault;
import poot.api.driver.CacheUse;
import poot.api.driver.DriverOptions;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Generation;
import poot.api.driver.HeadKind;
import poot.api.driver.Pick;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepException;
import poot.api.driver.StepFault;
import poot.api.driver.TokenSink;
import poot.api.executor.ExecutorException;
import poot.api.model.ModelConfig;

/**
 * A driver of a model that needs no arithmetic: the next token is a hash of the request's seed and of all tokens the
 * sequence's blocks hold, so that a wrong block, position or order shows as another token. Ids above {@link #SAFE} fail.
 */
final class FakeDriver implements ServingDriver {
    static final int VOCABULARY = 1000;
    /** Ids below are chosen and harmless; 0 ends a text. */
    static final int SAFE = 900;
    /** Its logits are not finite. */
    static final int SPOILT = 901;
    /** Breaks a validation: the rows beside it are disturbed. */
    static final int REFUSED = 902;
    /** The device fails. */
    static final int FATAL = 903;

    private final DriverOptions options;
    private final FakePool pool;
    private final Set<FakeSequence> open = new HashSet<>();
    private final Set<Thread> users = new HashSet<>();
    private final List<SeqRequest> opened = new ArrayList<>();
    private long nextId;
    private boolean closed;
    /** Called within each step. */
    Runnable during = () -> { };

    FakeDriver(DriverOptions options) {
        this.options = options;
        this.pool = switch (options.cache().blocks()) {
            case DriverOptions.Blocks.PerRow p -> new FakePool(options.cache().rows(), options.cache().capacity(), false);
            case DriverOptions.Blocks.Pool p -> new FakePool(p.blocks(), p.positions(), p.reuse());
        };
    }

    static DriverOptions options(int rows, int capacity, int chunk) {
        return DriverOptions.DEFAULT.withRows(rows).withCapacity(capacity).withPrefillChunk(chunk).withEncodeTokens(64);
    }

    /** What a request generates, alone. */
    static List<Integer> alone(SeqRequest request, GenerateLimits limits, int capacity) {
        List<Integer> tokens = new ArrayList<>(Arrays.stream(request.prompt()).boxed().toList());
        List<Integer> out = new ArrayList<>();
        while (out.size() < limits.maxTokens()) {
            int next = choose(request, tokens);
            if (limits.stopIds().contains(next)) {
                break;
            }
            out.add(next);
            if (tokens.size() == capacity) {
                break;
            }
            tokens.add(next);
        }
        return out;
    }

    private static int choose(SeqRequest request, List<Integer> tokens) {
        return Math.floorMod(31 * tokens.hashCode() + Long.hashCode(request.sampling().seed()), SAFE);
    }

    private final class FakeSequence implements Sequence {
        private final long id = nextId++;
        private final SeqRequest request;
        private final List<Integer> table = new ArrayList<>();
        private int[] tokens;
        private int fed;
        private int reused;
        private Phase phase = Phase.PENDING;

        FakeSequence(SeqRequest request) {
            this.request = request;
            this.tokens = request.prompt();
            find();
        }

        private void find() {
            table.addAll(pool.find(tokens));
            reused = table.size() * pool.use().positions();
            fed = reused;
        }

        private boolean reserve(int count) {
            if (fed == reused) {
                pool.give(table);
                find();
            }
            int missing = Math.ceilDiv(fed + Math.min(count, pending()), pool.use().positions()) - table.size();
            Optional<List<Integer>> more = missing > 0 ? pool.take(missing) : Optional.of(List.of());
            more.ifPresent(table::addAll);
            return more.isPresent();
        }

        private RowResult feed(int count) {
            int n = Math.min(Math.min(count, pending()), options.passes().prefillChunk());
            for (int i = 0; i < n; i++) {
                pool.write(table, fed, tokens[fed]);
                fed++;
            }
            pool.keep(table, tokens, fed);
            if (pending() > 0) {
                return new RowResult.Fed(this, pending());
            }
            phase = Phase.PICKED;
            List<Integer> held = new ArrayList<>();
            for (int p = 0; p < fed; p++) {
                held.add(pool.read(table, p));
            }
            return new RowResult.Picked(this, new Pick(choose(request, held), Float.NaN, List.of()));
        }

        private Optional<Integer> trouble(int count) {
            return Arrays.stream(tokens, fed, Math.min(fed + count, tokens.length)).filter(t -> t > SAFE).boxed().findFirst();
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public int[] tokens() {
            return tokens.clone();
        }

        @Override
        public int fed() {
            return fed;
        }

        @Override
        public int reused() {
            return reused;
        }

        @Override
        public boolean shares() {
            return options.cache().blocks() instanceof DriverOptions.Blocks.Pool p && p.reuse();
        }

        @Override
        public int pending() {
            return tokens.length - fed;
        }

        @Override
        public Phase phase() {
            return phase;
        }
    }

    Set<Thread> users() {
        return users;
    }

    int openSequences() {
        return open.size();
    }

    /** The requests opened, in that order. */
    List<SeqRequest> opened() {
        return opened;
    }

    boolean closed() {
        return closed;
    }

    @Override
    public ModelConfig config() {
        return new ModelConfig("fake", VOCABULARY, options.cache().capacity(), new TreeSet<>(Set.of(0)), ModelConfig.ToolFormat.NONE,
                new LinkedHashMap<>());
    }

    @Override
    public DriverOptions options() {
        return options;
    }

    @Override
    public List<String> entries() {
        return List.of();
    }

    @Override
    public Set<HeadKind> heads() {
        return options.heads().kinds();
    }

    @Override
    public int freeRows() {
        return options.cache().rows() - open.size();
    }

    @Override
    public long retainedBytes() {
        return 0;
    }

    @Override
    public CacheUse cache() {
        return pool.use();
    }

    @Override
    public void check(SeqRequest request) throws AdmitException {
        int tokens = request.prompt().length;
        if (tokens == 0) {
            throw new AdmitException(new AdmitFault.EmptyPrompt());
        }
        if (tokens > options.cache().capacity()) {
            throw new AdmitException(new AdmitFault.TooLong(tokens, options.cache().capacity()));
        }
    }

    @Override
    public Sequence open(SeqRequest request) throws AdmitException {
        users.add(Thread.currentThread());
        check(request);
        if (freeRows() == 0) {
            throw new AdmitException(new AdmitFault.NoFreeRow(options.cache().rows()));
        }
        FakeSequence s = new FakeSequence(request);
        open.add(s);
        opened.add(request);
        return s;
    }

    @Override
    public boolean reserve(Sequence sequence, int tokens) {
        return own(sequence).reserve(tokens);
    }

    @Override
    public void suspend(Sequence sequence) {
        FakeSequence s = own(sequence);
        pool.give(s.table);
        s.fed = 0;
        s.reused = 0;
        s.phase = Sequence.Phase.PENDING;
    }

    @Override
    public List<RowResult> step(List<RowWork> rows) throws StepException {
        users.add(Thread.currentThread());
        during.run();
        RowResult[] out = new RowResult[rows.size()];
        List<Long> guilty = new ArrayList<>();
        boolean fatal = false;
        for (RowWork w : rows) {
            Optional<Integer> trouble = own(w.sequence()).trouble(w.atMost());
            fatal |= trouble.filter(t -> t == FATAL).isPresent();
            trouble.filter(t -> t == REFUSED).ifPresent(t -> guilty.add(w.sequence().id()));
        }
        for (int i = 0; i < out.length; i++) {
            FakeSequence s = own(rows.get(i).sequence());
            int n = rows.get(i).atMost();
            if (s.phase != Sequence.Phase.PENDING) {
                throw new AssertionError(s.id + " is " + s.phase);
            }
            if (!s.reserve(n)) {
                throw new AssertionError("nothing was reserved for sequence " + s.id);
            }
            Optional<StepFault> fault = fatal
                    ? Optional.of(new StepFault.Device(new ExecutorException.DeviceFailed("fake", "scripted")))
                    : guilty.contains(s.id) ? Optional.of(new StepFault.Invalid(s.id, "a token is refused"))
                    : !guilty.isEmpty() ? Optional.of(new StepFault.Disturbed(s.id, guilty))
                    : s.trouble(n).map(t -> new StepFault.NonFinite(s.id, s.fed));
            s.phase = fault.isPresent() ? Sequence.Phase.FAILED : s.phase;
            out[i] = fault.isPresent() ? new RowResult.Failed(s, fault.get()) : s.feed(n);
        }
        return List.of(out);
    }

    @Override
    public void commit(Sequence sequence, int token) throws StepException {
        FakeSequence s = own(sequence);
        if (s.tokens.length == options.cache().capacity()) {
            throw new StepException(new StepFault.CapacityExhausted(s.id, s.tokens.length));
        }
        s.tokens = Arrays.copyOf(s.tokens, s.tokens.length + 1);
        s.tokens[s.tokens.length - 1] = token;
        s.phase = Sequence.Phase.PENDING;
    }

    @Override
    public void rewind(Sequence sequence, int length) {
        throw new AssertionError("the engine does not rewind");
    }

    @Override
    public void release(Sequence sequence) {
        FakeSequence s = own(sequence);
        if (open.remove(s)) {
            pool.give(s.table);
            s.phase = Sequence.Phase.RELEASED;
        }
    }

    @Override
    public Generation generate(SeqRequest request, GenerateLimits limits, TokenSink sink) {
        throw new AssertionError("the engine generates itself");
    }

    /** An embedding is a row's length; a row that begins with {@link #REFUSED} is refused. */
    @Override
    public List<EncodeResult> encode(List<EncodeRow> rows) throws AdmitException {
        users.add(Thread.currentThread());
        List<EncodeResult> out = new ArrayList<>();
        for (EncodeRow row : rows) {
            if (row.ids()[0] == REFUSED) {
                throw new AdmitException(new AdmitFault.UnknownToken(0, REFUSED, VOCABULARY));
            }
            out.add(new EncodeResult.Embedding(new float[] {row.ids().length}));
        }
        return out;
    }

    @Override
    public void checkIntegrity() {
        pool.check(open.stream().map(s -> s.table).toList());
    }

    @Override
    public void close() {
        open.clear();
        closed = true;
    }

    private FakeSequence own(Sequence s) {
        if (closed) {
            throw new AssertionError("used after its close");
        }
        return (FakeSequence) s;
    }
}
