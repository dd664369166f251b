package poot.core.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import poot.core.hub.ModelReference.OnHub;

/**
 * The models of all processes of a user, in one folder. Within a repository a file that several models or commits share is
 * stored once. Safe for use by several threads and processes.
 */
public final class ModelCache {
    private final Path root;

    /** The cache in a folder, which need not exist yet. */
    public ModelCache(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    /** The folder. */
    public Path root() {
        return root;
    }

    RepoCache repository(String repository) {
        return new RepoCache(root, repository);
    }

    /** Every whole model, by name. */
    public List<CachedModel> list() throws HubException {
        List<CachedModel> out = new ArrayList<>();
        for (RepoCache repository : repositories()) {
            for (Path commit : RepoCache.children(repository.commits())) {
                for (Path at : repository.models(commit)) {
                    out.add(Manifest.read(at));
                }
            }
        }
        return out;
    }

    /** Bytes on disk of downloads that were not finished. */
    public long unfinished() throws HubException {
        long bytes = 0;
        for (RepoCache repository : repositories()) {
            bytes += unfinished(repository);
        }
        return bytes;
    }

    private List<RepoCache> repositories() throws HubException {
        List<RepoCache> out = new ArrayList<>();
        for (Path owner : RepoCache.children(root.resolve("models"))) {
            for (Path name : RepoCache.children(owner)) {
                out.add(repository(owner.getFileName() + "/" + name.getFileName()));
            }
        }
        return out;
    }

    /** The model that a reference names, if it is here whole. */
    public Optional<CachedModel> find(OnHub reference) throws HubException {
        RepoCache repository = repository(reference.repository());
        Optional<String> commit = reference.pinned() ? reference.revision() : repository.ref(reference.revisionOrMain());
        Optional<RepoTree> tree = commit.isPresent() ? repository.tree(commit.get()) : Optional.empty();
        if (tree.isEmpty()) {
            return Optional.empty();
        }
        return repository.whole(tree.get().commit(), Chooser.choose(reference, tree.get()).id());
    }

    /**
     * Removes models and the files that no other model holds. A reference without a choice means every model of the
     * repository, without a revision those of every commit.
     *
     * @throws HubException if there is none, or another process is pulling from the repository
     */
    public Removal remove(OnHub reference) throws HubException {
        RepoCache repository = repository(reference.repository());
        if (!Files.isDirectory(repository.folder())) {
            throw new HubException(new HubFault.NotCached(reference.toString(), List.of()));
        }
        try (RepoCache.Lock _ = repository.lockNow()) {
            Map<Path, CachedModel> gone = new HashMap<>();
            Set<String> wanted = new HashSet<>();
            Optional<String> commit = reference.pinned() ? reference.revision()
                    : reference.revision().isPresent() ? Optional.of(repository.ref(reference.revision().get()).orElse("")) : Optional.empty();
            for (Path at : RepoCache.children(repository.commits())) {
                boolean meant = commit.isEmpty() || commit.get().equals(at.getFileName().toString());
                for (Path model : repository.models(at)) {
                    CachedModel cached = Manifest.read(model);
                    if (meant && isChosen(reference, repository, cached)) {
                        gone.put(model, cached);
                    } else {
                        cached.files().forEach(f -> wanted.add(f.digest()));
                    }
                }
            }
            long unfinished = unfinished(repository);
            boolean everything = reference.choice().isEmpty() && reference.revision().isEmpty();
            if (gone.isEmpty() && !(everything && unfinished > 0)) {
                throw new HubException(new HubFault.NotCached(reference.toString(), repository.names()));
            }
            for (Path model : gone.keySet()) {
                RepoCache.delete(model);
            }
            boolean last = wanted.isEmpty();
            return swept(repository, List.copyOf(gone.values()), wanted, everything || last ? unfinished : 0);
        }
    }

    private static boolean isChosen(OnHub reference, RepoCache repository, CachedModel cached) throws HubException {
        if (reference.choice().isEmpty() || reference.choice().get().equals(cached.choice())) {
            return true;
        }
        Optional<RepoTree> tree = repository.tree(cached.commit());
        if (tree.isEmpty() || cached.choice().isEmpty()) {
            return false;
        }
        try {
            return Chooser.choose(reference, tree.get()).id().equals(cached.choice());
        } catch (HubException e) {
            if (e.fault() instanceof HubFault.NoChoice || e.fault() instanceof HubFault.NoWeights || e.fault() instanceof HubFault.NoFile) {
                return false;
            }
            throw e;
        }
    }

    /** Removes what no model holds: blobs, unfinished downloads if they are counted, and folders that are empty. */
    private Removal swept(RepoCache repository, List<CachedModel> gone, Set<String> wanted, long unfinished) throws HubException {
        long freed = 0;
        Map<String, Long> kept = new HashMap<>();
        for (CachedModel model : gone) {
            model.files().stream().filter(f -> wanted.contains(f.digest())).forEach(f -> kept.put(f.digest(), f.bytes()));
        }
        for (Path blob : RepoCache.children(repository.blobs())) {
            String name = blob.getFileName().toString();
            boolean coming = name.endsWith(PartFile.PART) || name.endsWith(PartFile.STATE);
            if (!wanted.contains(name) && (!coming || unfinished > 0)) {
                freed += size(blob);
                RepoCache.delete(blob);
            }
        }
        for (Path commit : RepoCache.children(repository.commits())) {
            if (repository.models(commit).isEmpty()) {
                RepoCache.delete(commit);
            }
        }
        if (wanted.isEmpty()) {
            RepoCache.delete(repository.folder());
        }
        return new Removal(gone, freed, kept.values().stream().mapToLong(Long::longValue).sum(), unfinished);
    }

    private static long unfinished(RepoCache repository) throws HubException {
        long bytes = 0;
        for (Path blob : RepoCache.children(repository.blobs())) {
            bytes += blob.getFileName().toString().endsWith(PartFile.PART) ? PartFile.received(blob) : 0;
        }
        return bytes;
    }

    private static long size(Path blob) throws HubException {
        try {
            return blob.getFileName().toString().endsWith(PartFile.PART) ? PartFile.received(blob) : Files.size(blob);
        } catch (IOException e) {
            throw RepoCache.failure(blob, e);
        }
    }
}
