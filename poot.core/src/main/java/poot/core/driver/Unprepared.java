package poot.core.driver;

import java.util.Set;
import java.util.stream.Collectors;
import poot.api.driver.DriverOptions;
import poot.api.driver.PrepareException;
import poot.api.driver.PrepareFault;
import poot.api.driver.Preparation;
import poot.api.driver.UnpreparedDriver;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;
import poot.api.model.ModelConfig;
import poot.api.model.ProgramName;
import poot.api.model.RequestInput;

/** A driver before its preparation: a model, an executor, options. */
final class Unprepared implements UnpreparedDriver {
    private final ModelHandle handle;
    private final Executor executor;
    private final DriverOptions options;
    private boolean used;

    Unprepared(ModelHandle handle, Executor executor, DriverOptions options) {
        this.handle = handle;
        this.executor = executor;
        this.options = options;
    }

    @Override
    public DriverOptions options() {
        return options;
    }

    @Override
    public Preparation prepare() {
        if (used) {
            throw new IllegalStateException("this driver is used up: it was prepared or closed");
        }
        try {
            checkOptions();
            Preparation ready = new Preparation.Ready(serving());
            used = true;
            return ready;
        } catch (PrepareException e) {
            return new Preparation.Refused(this, e.fault());
        }
    }

    private void checkOptions() throws PrepareException {
        ModelConfig config = handle.model().config();
        DriverOptions.Cache cache = options.cache();
        boolean steps = handle.model().schema().program(ProgramName.STEP).isPresent();
        if (steps && config.contextLength() > 0 && cache.capacity() > config.contextLength()) {
            throw bad("capacity", cache.capacity(), "at most the model's context of " + config.contextLength());
        }
        switch (cache.blocks()) {
            case DriverOptions.Blocks.PerRow own -> within("rows times capacity", cache.rows(), cache.capacity());
            case DriverOptions.Blocks.Pool pool -> {
                within("blocks times positions", pool.blocks(), pool.positions());
                int needed = Math.ceilDiv(cache.capacity(), pool.positions());
                if (steps && pool.blocks() < needed) {
                    throw bad("blocks", pool.blocks(), "at least " + needed + ", so that a row of " + cache.capacity() + " positions fits");
                }
            }
        }
        within("rows times vocabulary", cache.rows(), config.vocabulary());
        Set<String> optional = handle.model().schema().inputs().stream()
                .filter(i -> i.presence() == RequestInput.Presence.OPTIONAL).map(RequestInput::name).collect(Collectors.toSet());
        for (Set<String> combination : options.passes().carried()) {
            for (String name : combination) {
                if (!optional.contains(name)) {
                    throw new PrepareException(new PrepareFault.UnknownInput(name, optional));
                }
            }
        }
    }

    /** Slots of a pool are counted in 31 bits. */
    private static void within(String product, int a, int b) throws PrepareException {
        if ((long) a * b > Integer.MAX_VALUE) {
            throw bad(product, (long) a * b, "at most " + Integer.MAX_VALUE);
        }
    }

    private static PrepareException bad(String option, long value, String allowed) {
        return new PrepareException(new PrepareFault.BadOption(option, Long.toString(value), allowed));
    }

    private Serving serving() throws PrepareException {
        Executable executable;
        try {
            executable = executor.load(handle.weights());
        } catch (ExecutorException e) {
            throw new PrepareException(new PrepareFault.Device("weights", e.fault()));
        }
        boolean done = false;
        try {
            PreparedSet set = new PreparedSet(handle, executor.target(), executable, options);
            for (EntryKey key : new StepKeys(options, new Heads(options, handle.model().config().vocabulary())).all(handle.model().schema())) {
                set.add(key);
            }
            set.finish();
            States states = executable.allocate(set.states());
            Serving serving = new Serving(handle, executable, states, options, set);
            done = true;
            return serving;
        } catch (ExecutorException e) {
            throw new PrepareException(new PrepareFault.Device("states", e.fault()));
        } finally {
            if (!done) {
                executable.close();
            }
        }
    }

    @Override
    public void close() {
        if (!used) {
            used = true;
            handle.release();
        }
    }
}
