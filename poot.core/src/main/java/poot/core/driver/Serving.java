package poot.core.driver;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import poot.api.driver.AdmitException;
import poot.api.driver.AdmitFault;
import poot.api.driver.CacheUse;
import poot.api.driver.DriverOptions;
import poot.api.driver.EncodeResult;
import poot.api.driver.EncodeRow;
import poot.api.driver.Feature;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Generation;
import poot.api.driver.HeadKind;
import poot.api.driver.Incompatible;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.driver.StepException;
import poot.api.driver.StepFault;
import poot.api.driver.TokenSink;
import poot.api.executor.Executable;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;
import poot.api.model.ModelConfig;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;

/** The serving driver over a prepared set: admission, pools, planner and runner put together. */
final class Serving implements ServingDriver {
    private final ModelHandle handle;
    private final Executable executable;
    private final States states;
    private final DriverOptions options;
    private final PreparedSet prepared;
    private final Heads heads;
    private final Admission admission;
    private final Pools pools;
    private final Planner planner;
    private final Runner runner;
    private final Encoder encoder;
    private final Set<OpenSequence> open = new HashSet<>();
    private long nextId;
    private boolean closed;

    Serving(ModelHandle handle, Executable executable, States states, DriverOptions options, PreparedSet prepared) {
        this.handle = handle;
        this.executable = executable;
        this.states = states;
        this.options = options;
        this.prepared = prepared;
        ModelSchema schema = handle.model().schema();
        int vocabulary = handle.model().config().vocabulary();
        this.heads = new Heads(options, vocabulary);
        this.admission = new Admission(handle.model(), options, prepared, heads);
        List<StateSpec> specs = schema.program(ProgramName.STEP).map(ModelSchema.ProgramSchema::states).orElse(List.of());
        this.pools = new Pools(states, specs, options.cache().rows(), options.cache().capacity(), vocabulary);
        this.planner = new Planner(schema, prepared, options, heads);
        StepBinder binder = new StepBinder(options.cache().capacity(), vocabulary, heads);
        this.runner = new Runner(states, binder);
        this.encoder = new Encoder(this, schema, admission, prepared, new StepKeys(options, heads), binder, states);
    }

    @Override
    public ModelConfig config() {
        return handle.model().config();
    }

    @Override
    public DriverOptions options() {
        return options;
    }

    @Override
    public List<String> entries() {
        return prepared.entries().stream().map(e -> e.key().toString()).toList();
    }

    @Override
    public Set<HeadKind> heads() {
        return heads.asSet();
    }

    @Override
    public int freeRows() {
        return pools.free();
    }

    @Override
    public long retainedBytes() {
        return executable.residentBytes();
    }

    @Override
    public CacheUse cache() {
        int rows = options.cache().rows();
        return new CacheUse(rows, pools.free(), 0, rows - pools.free(), options.cache().capacity(), 0, 0);
    }

    @Override
    public void check(SeqRequest request) throws AdmitException {
        if (handle.model().schema().program(ProgramName.STEP).isEmpty()) {
            throw new AdmitException(new AdmitFault.NoProgram(ProgramName.STEP.toString()));
        }
        admission.check(request);
    }

    @Override
    public Sequence open(SeqRequest request) throws AdmitException {
        requireOpen();
        check(request);
        if (pools.free() == 0) {
            throw new AdmitException(new AdmitFault.NoFreeRow(options.cache().rows()));
        }
        try {
            int row = pools.take();
            OpenSequence s = new OpenSequence(this, nextId++, row, request);
            if (request.sampling().readsHistory()) {
                seed(s);
            }
            open.add(s);
            return s;
        } catch (ExecutorException e) {
            throw new AdmitException(new AdmitFault.Device(e.fault()));
        }
    }

    private void seed(OpenSequence s) throws ExecutorException {
        boolean seeded = false;
        try {
            pools.seed(s);
            seeded = true;
        } finally {
            if (!seeded) {
                pools.give(s.row(), false);
            }
        }
    }

    @Override
    public boolean reserve(Sequence sequence, int tokens) throws StepException {
        requireOpen();
        OpenSequence s = own(sequence);
        if (s.phase() != Sequence.Phase.PENDING) {
            throw new StepException(new StepFault.NotPending(s.id(), s.phase()));
        }
        return true;
    }

    @Override
    public void suspend(Sequence sequence) throws StepException {
        requireOpen();
        OpenSequence s = continued(sequence);
        try {
            pools.forget(s.row());
        } catch (ExecutorException e) {
            throw new StepException(new StepFault.Device(e.fault()));
        }
        s.suspend();
    }

    @Override
    public List<RowResult> step(List<RowWork> rows) throws StepException {
        requireOpen();
        RowResult[] results = new RowResult[rows.size()];
        List<Run.Feed> feeds = new ArrayList<>();
        Set<OpenSequence> seen = new HashSet<>();
        for (int i = 0; i < rows.size(); i++) {
            OpenSequence s = own(rows.get(i).sequence());
            if (!seen.add(s)) {
                throw new StepException(new StepFault.Misplaced(s.id(), "is given twice in one step"));
            }
            if (s.phase() != Sequence.Phase.PENDING) {
                results[i] = new RowResult.Failed(s, new StepFault.NotPending(s.id(), s.phase()));
                continue;
            }
            feeds.add(new Run.Feed(s, Math.min(Math.min(s.pending(), rows.get(i).atMost()), planner.chunk()), i));
        }
        planner.runs(feeds).forEach(run -> runner.run(run, results));
        return List.of(results);
    }

    @Override
    public void commit(Sequence sequence, int token) throws StepException {
        requireOpen();
        OpenSequence s = continued(sequence);
        int vocabulary = config().vocabulary();
        if (token < 0 || token >= vocabulary) {
            throw new StepException(new StepFault.UnknownToken(s.id(), token, vocabulary));
        }
        if (s.length() >= options.cache().capacity()) {
            throw new StepException(new StepFault.CapacityExhausted(s.id(), options.cache().capacity()));
        }
        s.append(token);
    }

    @Override
    public void rewind(Sequence sequence, int length) throws StepException {
        requireOpen();
        OpenSequence s = own(sequence);
        Set<Feature> met = EnumSet.of(Feature.REWIND);
        met.addAll(Compatibility.of(s.request()));
        met.addAll(Compatibility.of(handle.model().schema()));
        Optional<Incompatible> refusal = Compatibility.refusal(met);
        if (refusal.isPresent()) {
            throw new StepException(refusal.get());
        }
        continued(s);
        if (length < 1 || length > s.length()) {
            throw new StepException(new StepFault.Misplaced(s.id(), "of " + s.length() + " tokens cannot keep " + length));
        }
        s.cut(length);
    }

    @Override
    public void release(Sequence sequence) {
        if (!(sequence instanceof OpenSequence s) || !open.remove(s)) {
            return;
        }
        pools.give(s.row(), s.spoils());
        s.close();
    }

    @Override
    public Generation generate(SeqRequest request, GenerateLimits limits, TokenSink sink) throws AdmitException {
        return new Generator(this).generate(request, limits, sink);
    }

    @Override
    public List<EncodeResult> encode(List<EncodeRow> rows) throws AdmitException {
        requireOpen();
        return encoder.encode(rows);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        open.forEach(OpenSequence::close);
        open.clear();
        prepared.entries().forEach(e -> e.entry().close());
        states.close();
        executable.close();
        handle.release();
    }

    @Override
    public void checkIntegrity() {
        requireOpen();
        if (open.size() + pools.free() != options.cache().rows()) {
            throw new IllegalStateException(open.size() + " sequences are open and " + pools.free() + " of "
                    + options.cache().rows() + " rows free");
        }
    }

    /** A sequence of this driver that did not fail and was not released. */
    private OpenSequence continued(Sequence sequence) throws StepException {
        OpenSequence s = own(sequence);
        if (s.phase() != Sequence.Phase.PICKED && s.phase() != Sequence.Phase.PENDING) {
            throw new StepException(new StepFault.NotPending(s.id(), s.phase()));
        }
        return s;
    }

    private OpenSequence own(Sequence sequence) throws StepException {
        if (sequence instanceof OpenSequence s && s.owner() == this) {
            return s;
        }
        throw new StepException(new StepFault.Misplaced(sequence.id(), "belongs to another driver"));
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the driver is closed");
        }
    }
}
