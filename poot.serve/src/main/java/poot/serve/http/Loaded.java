package poot.serve.http;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import poot.api.driver.DriverOptions;
import poot.api.driver.DriverOptions.Blocks;
import poot.api.driver.EncodeRow;
import poot.api.driver.GenerateLimits;
import poot.api.driver.HeadKind;
import poot.api.driver.PrepareException;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.model.LoadException;
import poot.api.model.Model;
import poot.api.model.ProgramName;
import poot.core.driver.Backends;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.core.engine.Deadlines;
import poot.core.engine.Engine;
import poot.core.engine.EngineException;
import poot.core.engine.EngineOptions;
import poot.core.engine.SubmitException;
import poot.core.engine.TextReply;
import poot.core.engine.TextRules;
import poot.core.hub.HubException;
import poot.core.hub.ModelReference;
import poot.core.hub.Models;
import poot.core.hub.PullListener;
import poot.families.Families;
import poot.serve.config.ModelSetup;
import poot.serve.config.ServerOptions;
import poot.serve.openai.SamplingDefaults;
import poot.serve.openai.Served;

/** A source made ready to serve, and what has to be closed for it, the last first. */
final class Loaded implements AutoCloseable {
    /** Logprobs the sampling head reports. */
    private static final int LOGPROBS = 20;
    private static final int WARM_TOKENS = 2;

    private final Deque<Runnable> open = new ArrayDeque<>();
    private Engine engine;
    private ModelHandle handle;
    private SamplingDefaults defaults = SamplingDefaults.OPEN;
    private long device;
    /** Whether the engine is the server's own. */
    private boolean owned;

    private Loaded() {}

    /** Loads, prepares and warms; on failure nothing stays open. */
    static Loaded of(Source source, ServerOptions options) throws StartException, InterruptedException {
        Loaded loaded = new Loaded();
        boolean done = false;
        try {
            switch (source) {
                case Source.Checkpoint c -> loaded.load(c, options);
                case Source.Named n -> {
                    Path path = Models.fromEnvironment().path(n.reference(), PullListener.NONE);
                    loaded.load(new Source.Checkpoint(path, n.setup()), options);
                }
                case Source.Prepared p -> loaded.start(p.driver(), p.model(), p.setup(), options);
                case Source.Running r -> {
                    loaded.engine = r.engine();
                    loaded.handle = r.model();
                }
            }
            loaded.warm();
            done = true;
            return loaded;
        } catch (HubException e) {
            throw new StartException(e.fault(), e);
        } catch (LoadException e) {
            throw new StartException(e.fault(), e);
        } catch (ExecutorException e) {
            throw new StartException(e.fault(), e);
        } catch (PrepareException e) {
            throw new StartException(e.fault(), e);
        } catch (SubmitException e) {
            throw new StartException(e.fault(), e);
        } catch (EngineException e) {
            throw new StartException(e.fault(), e);
        } catch (IOException e) {
            throw new StartException(new StartException.Unreadable(e.getMessage()), e);
        } finally {
            if (!done) {
                loaded.close();
            }
        }
    }

    private void load(Source.Checkpoint c, ServerOptions options)
            throws LoadException, ExecutorException, PrepareException, IOException {
        defaults = SamplingDefaults.of(c.path());
        ModelHandle model = ModelHandle.load(c.path(), Families.registry(), LoadOptions.DEFAULT);
        open.push(model::close);
        ExecutorOptions executorOptions = new ExecutorOptions(c.setup().threads(), c.setup().weights());
        Executor executor = c.setup().backend().isPresent()
                ? Backends.open(c.setup().backend().get(), executorOptions) : Backends.best(executorOptions);
        open.push(executor::close);
        ServingDriver driver = Driver.over(model, executor, driverOptions(model.model(), c.setup())).prepare().orElseThrow();
        start(driver, model, c.setup(), options);
    }

    private void start(ServingDriver driver, ModelHandle model, ModelSetup setup, ServerOptions options) {
        device = driver.retainedBytes();
        Deadlines deadlines = options.times().request().isZero() ? Deadlines.NONE : Deadlines.NONE.withTotal(options.times().request());
        engine = Engine.start(driver, EngineOptions.DEFAULT.withWaiting(setup.waiting()).withStepTokens(setup.step())
                .withSharedTokens(setup.shared()).withDeadlines(deadlines));
        handle = model;
        owned = true;
        open.push(engine::close);
    }

    private static DriverOptions driverOptions(Model model, ModelSetup setup) {
        int limit = model.config().contextLength();
        int context = limit > 0 ? Math.min(setup.context(), limit) : setup.context();
        boolean steps = model.schema().program(ProgramName.STEP).isPresent();
        boolean encodes = model.schema().program(ProgramName.ENCODE).isPresent();
        DriverOptions o = DriverOptions.DEFAULT.withRows(setup.running()).withCapacity(steps ? context : 1).withKv(setup.kv())
                .withPrefillChunk(Math.min(setup.step(), 512)).withLogprobs(LOGPROBS).withEncodeTokens(encodes ? context : 0)
                .withHeads(steps ? EnumSet.of(HeadKind.GREEDY, HeadKind.SAMPLE) : EnumSet.noneOf(HeadKind.class));
        Blocks blocks = switch (setup.cache()) {
            case ModelSetup.Cache.Full f -> ModelSetup.full(setup.running(), context, f.reuse());
            case ModelSetup.Cache.Laid l -> l.blocks();
        };
        return switch (blocks) {
            case Blocks.PerRow _ -> o;
            case Blocks.Pool p -> steps ? o.withPool(p.blocks(), p.positions(), p.reuse()) : o;
        };
    }

    /** Makes the first answers, which find every page and class cold. */
    private void warm() throws SubmitException, EngineException, InterruptedException {
        int[] ids = text("warm");
        Set<HeadKind> heads = engine.driverOptions().heads().kinds();
        for (SamplingParams sampling : List.of(SamplingParams.GREEDY, SamplingParams.draw(1f, 1))) {
            if (heads.contains(HeadKind.SAMPLE) || heads.contains(HeadKind.GREEDY) && !sampling.draws()) {
                SeqRequest request = SeqRequest.of(ids).withSampling(sampling);
                TextReply.of(engine.submit(request, new GenerateLimits(WARM_TOKENS, Set.of())), handle.text().orElseThrow(), TextRules.PLAIN)
                        .forEach(piece -> { });
            }
        }
        if (engine.driverOptions().passes().encodeTokens() > ids.length) {
            encode(ids);
        }
    }

    private void encode(int[] ids) throws SubmitException, EngineException, InterruptedException {
        try {
            engine.encode(List.of(EncodeRow.of(ids))).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof EngineException x) {
                throw x;
            }
            throw new IllegalStateException("the first encode pass broke", e);
        }
    }

    private int[] text(String s) {
        int[] ids = handle.text().orElseThrow().encode(s, true);
        return ids.length > 0 ? ids : new int[] {0};
    }

    Engine engine() {
        return engine;
    }

    /** Ends what the engine still does, if it is the server's. */
    void end() {
        if (owned) {
            engine.close();
        }
    }

    /** What is served, under a name. */
    Served served(String id, ServerOptions options) {
        int output = options.limits().output() > 0 ? options.limits().output() : engine.driverOptions().cache().capacity();
        return Served.of(id, engine, handle.model(), handle.text().orElseThrow(), defaults, output,
                new Served.Memory(weightBytes(), device));
    }

    private long weightBytes() {
        Set<Long> seen = new HashSet<>();
        return handle.weights().values().stream().flatMap(w -> w.parts().stream()).filter(p -> seen.add(p.address()))
                .mapToLong(MemorySegment::byteSize).sum();
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }

    /** What a model is called where nobody gives a name: its repository, or the last part of its path. */
    static String name(ModelReference reference) {
        return switch (reference) {
            case ModelReference.Local l -> name(l.path());
            case ModelReference.OnHub h -> h.repository();
        };
    }

    /** What a checkpoint is called where nobody gives a name: the last part of its path. */
    static String name(Path path) {
        Path last = path.toAbsolutePath().normalize().getFileName();
        String name = last == null ? "model" : last.toString();
        return name.endsWith(".gguf") ? name.substring(0, name.length() - ".gguf".length()) : name;
    }
}
