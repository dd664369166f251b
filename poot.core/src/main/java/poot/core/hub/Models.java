package poot.core.hub;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import poot.core.hub.ModelReference.OnHub;

/**
 * Models by name: from a reference to a path that a loader takes.
 *
 * <pre>{@code
 * Path path = Models.fromEnvironment().path(ModelReference.parse("hf.co/OWNER/REPO:Q4_K_M"), PullListener.NONE);
 * }</pre>
 *
 * Safe for use by several threads and processes.
 */
public final class Models {
    private final HubOptions options;
    private final ModelCache cache;

    private Models(HubOptions options) {
        this.options = Objects.requireNonNull(options);
        this.cache = new ModelCache(options.cache());
    }

    /** Models from where the options say. */
    public static Models of(HubOptions options) {
        return new Models(options);
    }

    /** Models from where this process's environment says. */
    public static Models fromEnvironment() throws HubException {
        return of(HubOptions.fromEnvironment());
    }

    /** What is on this machine. */
    public ModelCache cache() {
        return cache;
    }

    /**
     * Where a model is. One that is in the cache is used as it is, without asking the hub whether its revision has moved on;
     * one that is not is pulled.
     *
     * @throws HubException if it is neither cached nor can be pulled; a local path is returned unseen
     */
    public Path path(ModelReference reference, PullListener listener) throws HubException {
        return switch (reference) {
            case ModelReference.Local local -> local.path();
            case OnHub hub -> {
                Optional<CachedModel> cached = cache.find(hub);
                yield (cached.isPresent() ? cached.get() : pull(hub, listener)).path();
            }
        };
    }

    /**
     * Brings a model up to date with its revision: what the commit has that the cache does not is fetched, and verified.
     * The model is in the cache whole when this returns, and not at all, or as it was before, when it throws; what came of
     * its files is kept for the next attempt. Of several processes that pull from one repository, one works.
     */
    public CachedModel pull(OnHub reference, PullListener listener) throws HubException {
        if (options.offline()) {
            throw new HubException(new HubFault.Offline(reference.toString(), cache.repository(reference.repository()).names()));
        }
        return Pull.run(options, reference, listener);
    }
}
