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

/** The serving driver over a prepared set: admission, pools, planner and runner put together. */
final class Serving implements ServingDriver {
    private final ModelHandle handle;
    private final Executable executable;
    private final States states;
    private final DriverOptions options;
    private final PreparedSet prepared;
    private final Heads heads;
    private final Admission admission;
    private final OpenRows rows;
    private final Planner planner;
    private final Runner runner;
    private final Encoder encoder;
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
        this.rows = new OpenRows(this, schema, states, options.cache(), vocabulary);
        this.planner = new Planner(schema, prepared, options, heads);
        StepBinder binder = new StepBinder(rows.memory(), vocabulary, heads);
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
        return rows.free();
    }

    @Override
    public long retainedBytes() {
        return executable.residentBytes();
    }

    @Override
    public CacheUse cache() {
        return rows.use();
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
        if (rows.free() == 0) {
            throw new AdmitException(new AdmitFault.NoFreeRow(options.cache().rows()));
        }
        try {
            return rows.open(request);
        } catch (ExecutorException e) {
            throw new AdmitException(new AdmitFault.Device(e.fault()));
        }
    }

    @Override
    public boolean reserve(Sequence sequence, int tokens) throws StepException {
        requireOpen();
        OpenSequence s = own(sequence);
        if (s.phase() != Sequence.Phase.PENDING) {
            throw new StepException(new StepFault.NotPending(s.id(), s.phase()));
        }
        Optional<StepFault> fault = rows.reserve(s, Math.max(0, tokens));
        if (fault.isPresent() && !(fault.get() instanceof StepFault.PoolDry)) {
            throw new StepException(fault.get());
        }
        return fault.isEmpty();
    }

    @Override
    public void suspend(Sequence sequence) throws StepException {
        requireOpen();
        OpenSequence s = continued(sequence);
        try {
            rows.suspend(s);
        } catch (ExecutorException e) {
            s.fail();
            throw new StepException(new StepFault.Device(e.fault()));
        }
    }

    @Override
    public List<RowResult> step(List<RowWork> work) throws StepException {
        requireOpen();
        RowResult[] results = new RowResult[work.size()];
        List<Run.Feed> feeds = new ArrayList<>();
        distinct(work);
        for (int i = 0; i < work.size(); i++) {
            OpenSequence s = own(work.get(i).sequence());
            int atMost = Math.min(work.get(i).atMost(), planner.chunk());
            Optional<StepFault> fault = s.phase() == Sequence.Phase.PENDING
                    ? rows.reserve(s, Math.min(s.pending(), atMost)) : Optional.of(new StepFault.NotPending(s.id(), s.phase()));
            if (fault.isPresent()) {
                results[i] = new RowResult.Failed(s, fault.get());
            } else {
                feeds.add(new Run.Feed(s, Math.min(s.pending(), atMost), i));
            }
        }
        planner.runs(feeds).forEach(run -> runner.run(run, results));
        feeds.stream().map(Run.Feed::sequence).filter(s -> s.phase() != Sequence.Phase.FAILED).forEach(rows.memory()::fed);
        return List.of(results);
    }

    private void distinct(List<RowWork> work) throws StepException {
        Set<OpenSequence> seen = new HashSet<>();
        for (RowWork w : work) {
            OpenSequence s = own(w.sequence());
            if (!seen.add(s)) {
                throw new StepException(new StepFault.Misplaced(s.id(), "is given twice in one step"));
            }
        }
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
        rows.rewind(s, length);
    }

    @Override
    public void release(Sequence sequence) {
        if (sequence instanceof OpenSequence s && s.owner() == this) {
            rows.release(s);
        }
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
        rows.close();
        prepared.entries().forEach(e -> e.entry().close());
        states.close();
        executable.close();
        handle.release();
    }

    @Override
    public void checkIntegrity() {
        requireOpen();
        rows.checkIntegrity();
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
