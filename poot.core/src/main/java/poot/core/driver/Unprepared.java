package poot.core.driver;

import java.util.Set;
import java.util.stream.Collectors;
import poot.api.driver.DriverOptions;
import poot.api.driver.PrepareFault;
import poot.api.driver.Preparation;
import poot.api.driver.UnpreparedDriver;
import poot.api.executor.Executable;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.States;
import poot.api.model.ModelConfig;
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
        if (config.contextLength() > 0 && options.capacity() > config.contextLength()) {
            throw bad("capacity", options.capacity(), "at most the model's context of " + config.contextLength());
        }
        if ((long) options.rows() * options.capacity() > Integer.MAX_VALUE) {
            throw bad("rows times capacity", (long) options.rows() * options.capacity(), "at most " + Integer.MAX_VALUE);
        }
        if ((long) options.rows() * config.vocabulary() > Integer.MAX_VALUE) {
            throw bad("rows times vocabulary", (long) options.rows() * config.vocabulary(), "at most " + Integer.MAX_VALUE);
        }
        Set<String> optional = handle.model().schema().inputs().stream()
                .filter(i -> i.presence() == RequestInput.Presence.OPTIONAL).map(RequestInput::name).collect(Collectors.toSet());
        for (Set<String> combination : options.carried()) {
            for (String name : combination) {
                if (!optional.contains(name)) {
                    throw new PrepareException(new PrepareFault.UnknownInput(name, optional));
                }
            }
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
            for (EntryKey key : new StepKeys(options, new Heads(options)).all(handle.model().schema())) {
                set.add(key);
            }
            States states = executable.allocate(set.states());
            done = true;
            return new Serving(handle, executable, states, options, set);
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
