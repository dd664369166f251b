package poot.serve.command;

import java.nio.file.Path;
import java.util.Set;
import poot.api.driver.DriverOptions;
import poot.api.driver.HeadKind;
import poot.api.driver.Preparation;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.model.LoadException;
import poot.api.model.Model;
import poot.api.model.TextCodec;
import poot.core.driver.Backends;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;

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
        Path path = options.path();
        ModelHandle handle = ModelHandle.load(path, Families.registry(), LoadOptions.DEFAULT);
        LoadedModel loaded = new LoadedModel(options, handle);
        Warming.touch(handle.weights().values(), console);
        return loaded;
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

    /** Prepares a driver with one row that can hold {@code positions}, and the given heads. */
    ServingDriver prepare(int positions, Set<HeadKind> heads) throws CommandFailure, ExecutorException {
        int capacity = options.capacity(positions, model().config().contextLength());
        return prepare(DriverOptions.DEFAULT.withCapacity(capacity).withHeads(heads).withKv(options.kv()));
    }

    /** Prepares a driver under the given options. */
    ServingDriver prepare(DriverOptions wanted) throws CommandFailure, ExecutorException {
        executor = options.backend() == null ? Backends.best(options.executor())
                : Backends.open(options.backend(), options.executor());
        driver = switch (Driver.over(handle, executor, wanted).prepare()) {
            case Preparation.Ready r -> r.driver();
            case Preparation.Refused r -> {
                r.driver().close();
                throw new CommandFailure(r.fault().message());
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
