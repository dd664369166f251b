package poot.serve.command;

import java.util.EnumSet;
import java.util.Set;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.model.LoadException;
import poot.api.model.Model;
import poot.api.model.ProgramName;
import poot.api.model.TextCodec;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.serve.config.MemoryAdvice;

/** A model a command has opened: the handle, and on demand an executor and a prepared driver. */
final class LoadedModel implements AutoCloseable {
    private final ModelOptions options;
    private final ModelHandle handle;
    private Executor executor;
    private ServingDriver driver;

    private LoadedModel(ModelOptions options, ModelHandle handle) {
        this.options = options;
        this.handle = handle;
    }

    /** Opens the checkpoint; progress goes to the console when a large file is read for the first time. */
    static LoadedModel open(ModelOptions options, Console console) throws CommandFailure, LoadException {
        LoadedModel loaded = unread(options);
        Warming.touch(loaded.handle.weights().values(), console);
        return loaded;
    }

    /** Opens the checkpoint and leaves the weights where they are, for what needs their formats alone. */
    static LoadedModel unread(ModelOptions options) throws CommandFailure, LoadException {
        return new LoadedModel(options, ModelHandle.load(options.path(), Families.registry(), LoadOptions.DEFAULT));
    }

    ModelHandle handle() {
        return handle;
    }

    Model model() {
        return handle.model();
    }

    TextCodec text() {
        return handle.text().orElseThrow();
    }

    /**
     * Prepares a driver with one row for a prompt and what follows it, and the given heads.
     *
     * @param prompt   tokens
     * @param more     further positions, as many of them as the context leaves
     * @param logprobs likeliest tokens reported at most
     */
    ServingDriver generator(int prompt, int more, Set<HeadKind> heads, int logprobs) throws CommandFailure, ExecutorException {
        if (model().schema().program(ProgramName.STEP).isEmpty()) {
            throw new CommandFailure("a model of family " + model().config().family() + " generates nothing; it encodes:"
                    + " see poot embed and poot rerank");
        }
        int capacity = options.capacity((long) prompt + more, model().config().contextLength());
        if (prompt > capacity) {
            throw new CommandFailure("a prompt of " + prompt + " tokens does not fit the context of " + capacity
                    + "; shorten it" + (capacity < model().config().contextLength() ? ", or give a larger --context" : ""));
        }
        return prepare(DriverOptions.DEFAULT.withCapacity(capacity).withHeads(heads).withKv(options.kv())
                .withLogprobs(logprobs).withEncodeTokens(0));
    }

    /** Prepares a driver for encode passes of at most {@code tokens}. */
    ServingDriver encoder(int tokens) throws CommandFailure, ExecutorException {
        int context = model().config().contextLength();
        if (tokens > context) {
            throw new CommandFailure("a text of " + tokens + " tokens does not fit the model's context of " + context + "; shorten it");
        }
        return prepare(DriverOptions.DEFAULT.withCapacity(1).withHeads(EnumSet.noneOf(HeadKind.class))
                .withEncodeTokens(Math.max(1, tokens)));
    }

    private ServingDriver prepare(DriverOptions wanted) throws CommandFailure, ExecutorException {
        executor = options.open();
        driver = switch (Driver.over(handle, executor, wanted.withFusion(options.fusion())).prepare()) {
            case Preparation.Ready r -> r.driver();
            case Preparation.Refused r -> {
                r.driver().close();
                throw new CommandFailure(MemoryAdvice.message(r.fault()));
            }
        };
        return driver;
    }

    @Override
    public void close() {
        if (driver != null) {
            driver.close();
        }
        if (executor != null) {
            executor.close();
        }
        handle.close();
    }
}
