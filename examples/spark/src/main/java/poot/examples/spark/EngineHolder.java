package poot.examples.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkFiles;
import poot.api.driver.PrepareException;
import poot.api.executor.ExecutorException;
import poot.api.model.LoadException;
import poot.core.hub.HubException;

/**
 * The engine that all partitions of an executor share, made when the first one asks. It stays between partitions, and is
 * closed when the JVM ends. One that broke, or runs another model than a partition asks for, makes place for a new one,
 * and is closed once the last partition that uses it gives it back.
 */
final class EngineHolder implements AutoCloseable {
    private Held current;
    private final Set<Held> retired = new HashSet<>();
    private boolean closed;
    private int starts;

    /** A partition's hold on an engine. For one thread. */
    interface Lease extends AutoCloseable {
        /** The engine. */
        SharedEngine shared();

        /** Gives it back; without effect the second time. */
        @Override
        void close();
    }

    /**
     * The holder of this JVM. Global, because the tasks of an executor are threads of one JVM and Spark hands them nothing
     * they could share an engine by.
     */
    static EngineHolder ofThisJvm() {
        return OfThisJvm.HOLDER;
    }

    private static final class OfThisJvm {
        static final EngineHolder HOLDER = new EngineHolder();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(HOLDER::close, "poot-engine-close"));
        }
    }

    /**
     * The engine for some settings; the first to ask makes it, and others wait for that.
     *
     * @throws HubException        if the model's name is none, or it cannot be pulled
     * @throws LoadException       if the checkpoint is refused
     * @throws ExecutorException   if no backend can run here
     * @throws PrepareException    if the backend cannot run the model so
     * @throws EngineLostException if the JVM is ending
     */
    synchronized Lease lease(Settings.EngineKey key) throws HubException, LoadException, ExecutorException, PrepareException {
        if (closed) {
            throw new EngineLostException("this executor is shutting down and starts no engine");
        }
        if (current != null && !(current.key.equals(key) && current.shared.engine().ready())) {
            Held old = current;
            current = null;
            retire(old);
        }
        if (current == null) {
            current = new Held(key, SharedEngine.start(located(key.model()), key));
            starts++;
        }
        return current.lease();
    }

    /** Engines started so far. */
    synchronized int starts() {
        return starts;
    }

    /** Where Spark put the submitted file of that name, if it did; else the name as it is. */
    private static String located(String model) {
        if (SparkEnv.get() == null || model.contains("/") || Files.exists(Path.of(model))) {
            return model;
        }
        String sent = SparkFiles.get(model);
        return Files.exists(Path.of(sent)) ? sent : model;
    }

    private void retire(Held old) {
        if (old.leases == 0) {
            old.shared.close();
        } else {
            retired.add(old);
        }
    }

    private synchronized void giveBack(Held held) {
        held.leases--;
        if (held.leases == 0 && retired.remove(held)) {
            held.shared.close();
        }
    }

    /** Closes every engine, used or not: their partitions are told that they were not answered. */
    @Override
    public synchronized void close() {
        closed = true;
        if (current != null) {
            retired.add(current);
            current = null;
        }
        retired.forEach(held -> held.shared.close());
        retired.clear();
    }

    /** An engine and the number of partitions that use it, which the holder's lock guards. */
    private final class Held {
        private final Settings.EngineKey key;
        private final SharedEngine shared;
        private int leases;

        Held(Settings.EngineKey key, SharedEngine shared) {
            this.key = key;
            this.shared = shared;
        }

        Lease lease() {
            leases++;
            return new Lease() {
                private boolean given;

                @Override
                public SharedEngine shared() {
                    return shared;
                }

                @Override
                public void close() {
                    if (!given) {
                        given = true;
                        giveBack(Held.this);
                    }
                }
            };
        }
    }
}
