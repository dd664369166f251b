package poot.examples.spark;

import poot.api.driver.DriverOptions;
import poot.api.driver.PrepareException;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.model.LoadException;
import poot.api.model.TextCodec;
import poot.core.driver.Backends;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.core.engine.Engine;
import poot.core.engine.EngineOptions;
import poot.core.hub.HubException;
import poot.families.Families;

/** A loaded model, the engine that runs it, and all they stand on. Safe for use by several threads. */
final class SharedEngine implements AutoCloseable {
    private static final int BLOCK = 16;

    private final ModelHandle model;
    private final Executor executor;
    private final Engine engine;

    private SharedEngine(ModelHandle model, Executor executor, Engine engine) {
        this.model = model;
        this.executor = executor;
        this.engine = engine;
    }

    /**
     * Loads the model and starts an engine over the best backend of this machine. Its rows share one pool of blocks, which
     * keeps the beginnings of prompts: instructions that every line repeats are computed once.
     *
     * @param name the checkpoint's path on this machine, or its name on the hub
     * @throws HubException      if the name is none, or the model cannot be pulled
     * @throws LoadException     if the checkpoint is refused
     * @throws ExecutorException if no backend can run here
     * @throws PrepareException  if the backend cannot run the model so
     */
    static SharedEngine start(String name, Settings.EngineKey key)
            throws HubException, LoadException, ExecutorException, PrepareException {
        ModelHandle model = ModelHandle.load(name, Families.registry(), LoadOptions.DEFAULT);
        Executor executor = null;
        Engine engine = null;
        try {
            executor = Backends.best(new ExecutorOptions(key.threads()));
            int capacity = Math.min(key.capacity(), model.model().config().contextLength());
            int blocks = Math.multiplyExact(key.rows(), Math.ceilDiv(capacity, BLOCK));
            DriverOptions rows = DriverOptions.DEFAULT.withRows(key.rows()).withCapacity(capacity);
            ServingDriver driver = Driver.over(model, executor, rows.withPool(blocks, BLOCK, true)).prepare().orElseThrow();
            engine = Engine.start(driver, EngineOptions.DEFAULT);
            return new SharedEngine(model, executor, engine);
        } finally {
            if (engine == null) {
                if (executor != null) {
                    executor.close();
                }
                model.close();
            }
        }
    }

    /** The engine. */
    Engine engine() {
        return engine;
    }

    /** The model's text codec. */
    TextCodec text() {
        return model.text().orElseThrow();
    }

    /** Ends what runs, with {@code SHUTDOWN}, and gives everything back. */
    @Override
    public void close() {
        engine.close();
        executor.close();
        model.close();
    }
}
