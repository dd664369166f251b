package poot.serve.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import poot.api.driver.ServingDriver;
import poot.core.driver.ModelHandle;
import poot.core.engine.Engine;
import poot.core.hub.HubException;
import poot.core.hub.ModelReference;
import poot.serve.config.ModelSetup;
import poot.serve.config.ServerOptions;
import poot.serve.metrics.ServeMetrics;
import poot.serve.web.ApiService;
import poot.serve.web.Host;
import poot.serve.web.ListenException;
import poot.serve.web.Listener;
import poot.serve.web.ServeLog;

/**
 * One model behind the HTTP interface of OpenAI. {@link #close} answers what it took, within the drain time, and gives
 * everything back. Safe for use by several threads.
 */
public final class PootServer implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(10);

    private final ServerOptions options;
    private final Host host = new Host();
    private final ApiService service;
    private Optional<Listener> listener = Optional.empty();
    private Optional<Loaded> loaded = Optional.empty();
    private final ServeMetrics metrics = new ServeMetrics();
    private boolean closed;

    private PootServer(Builder b) {
        this.options = b.options;
        this.service = new ApiService(b.options, host, metrics, new ServeLog(b.log));
    }

    /** A server to be made. */
    public static Builder builder() {
        return new Builder();
    }

    /** What a server is made of; {@link #start} opens a port, {@link #mount} leaves that to the caller. */
    public static final class Builder {
        private Source source;
        private Optional<String> name = Optional.empty();
        private ServerOptions options = ServerOptions.DEFAULT;
        private Consumer<String> log = line -> System.getLogger("poot.serve").log(System.Logger.Level.INFO, line);

        private Builder() {}

        /** Serves a checkpoint: a Hugging Face directory, or a GGUF file. */
        public Builder model(Path path) {
            return model(path, ModelSetup.DEFAULT);
        }

        /** Serves a checkpoint, prepared so. */
        public Builder model(Path path, ModelSetup setup) {
            source = new Source.Checkpoint(Objects.requireNonNull(path), Objects.requireNonNull(setup));
            return name.isPresent() ? this : name(Loaded.name(path));
        }

        /**
         * Serves a model by name: a path, or {@code hf.co/OWNER/REPO[@REVISION][:FILE or QUANT]}, which is pulled where it
         * is not cached.
         *
         * @throws HubException if it is neither
         */
        public Builder model(String name) throws HubException {
            return model(ModelReference.parse(name), ModelSetup.DEFAULT);
        }

        /** Serves a model by name, prepared so. */
        public Builder model(ModelReference reference, ModelSetup setup) {
            source = new Source.Named(Objects.requireNonNull(reference), Objects.requireNonNull(setup));
            return name.isPresent() ? this : name(Loaded.name(reference));
        }

        /** Serves a driver, which is the server's from now on; its model has text and stays the caller's. */
        public Builder driver(ServingDriver driver, ModelHandle model) {
            source = new Source.Prepared(Objects.requireNonNull(driver), Objects.requireNonNull(model), ModelSetup.DEFAULT);
            return this;
        }

        /** Serves an engine, which stays the caller's, as its model does. */
        public Builder engine(Engine engine, ModelHandle model) {
            source = new Source.Running(Objects.requireNonNull(engine), Objects.requireNonNull(model));
            return this;
        }

        /** What clients call the model. */
        public Builder name(String id) {
            name = Optional.of(id);
            return this;
        }

        /** How it listens and what it lets clients do. */
        public Builder options(ServerOptions o) {
            options = Objects.requireNonNull(o);
            return this;
        }

        /** Where lines of the log go, each an object of JSON; the system's logger {@code poot.serve} otherwise. */
        public Builder log(Consumer<String> lines) {
            log = Objects.requireNonNull(lines);
            return this;
        }

        /**
         * Opens the port, where {@code /health/ready} says no, makes the model ready, and takes requests.
         *
         * @throws StartException if the port or the model cannot be had; nothing stays open
         */
        public PootServer start() throws StartException, InterruptedException {
            PootServer server = new PootServer(this);
            boolean done = false;
            try {
                server.listener = Optional.of(Listener.open(options, server.service));
                server.load(this);
                done = true;
                return server;
            } catch (ListenException e) {
                throw new StartException(e.fault(), e);
            } finally {
                if (!done) {
                    server.close();
                }
            }
        }

        /**
         * Makes the model ready, for an HTTP server the caller has: see {@link PootServer#routing}.
         *
         * @throws StartException if the model cannot be had; nothing stays open
         */
        public PootServer mount() throws StartException, InterruptedException {
            PootServer server = new PootServer(this);
            boolean done = false;
            try {
                server.load(this);
                done = true;
                return server;
            } finally {
                if (!done) {
                    server.close();
                }
            }
        }
    }

    private void load(Builder b) throws StartException, InterruptedException {
        if (b.source == null) {
            throw new IllegalStateException("nothing to serve: give a model, a driver or an engine");
        }
        Loaded made = Loaded.of(b.source, options);
        loaded = Optional.of(made);
        made.engine().observe(metrics);
        host.ready(made.served(b.name.orElse("model"), options));
    }

    /**
     * The routes, to be registered with a server the caller has, as that server's kind of service:
     * {@code routing(io.helidon.webserver.http.HttpService.class)}.
     *
     * @throws ClassCastException if they are no such service
     */
    public <T> T routing(Class<T> type) {
        return type.cast(service);
    }

    /** Where clients find it; empty for one that is mounted. */
    public Optional<String> url() {
        return listener.map(Listener::url);
    }

    /** The engine that runs the model. */
    public Engine engine() {
        return loaded.orElseThrow().engine();
    }

    /** Takes nothing new, lets what runs end within the drain time, then closes the port and gives everything back. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        host.drain();
        try {
            drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            service.close();
            listener.ifPresent(Listener::close);
            loaded.ifPresent(Loaded::close);
            host.closed();
        }
    }

    private void drain() throws InterruptedException {
        long end = System.nanoTime() + options.times().drain().toNanos();
        while (service.active() > 0 && System.nanoTime() < end) {
            Thread.sleep(LOOK);
        }
    }
}
