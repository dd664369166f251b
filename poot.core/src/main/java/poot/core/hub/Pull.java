package poot.core.hub;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import poot.api.model.CheckpointException;
import poot.core.hub.Chooser.Chosen;
import poot.core.hub.ModelReference.OnHub;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/** One pull: the commit is asked for, its files listed, those the model needs fetched, and the model published. */
final class Pull {
    /** Files at the same time; their ranges share the connections. */
    private static final int FILES_AT_ONCE = 4;
    /** Free disk left beside the model. */
    private static final long SPARE = 64L << 20;

    private final HubOptions options;
    private final OnHub reference;
    private final RepoCache cache;
    private final HubHttp http;
    private final Hub hub;
    private final Meter meter;
    private final AtomicReference<HubException> failure = new AtomicReference<>();

    private Pull(HubOptions options, OnHub reference, RepoCache cache, HubHttp http, Meter meter) {
        this.options = options;
        this.reference = reference;
        this.cache = cache;
        this.http = http;
        this.hub = new Hub(options, http);
        this.meter = meter;
    }

    /** Pulls what is not there; the revision means the returned model's commit from now on. */
    static CachedModel run(HubOptions options, OnHub reference, PullListener listener) throws HubException {
        RepoCache cache = new RepoCache(options.cache(), reference.repository());
        PullProgress waiting = new PullProgress(PullProgress.Phase.WAITING, reference.repository(), 0, 0, 0, 0, 0, 0);
        try (RepoCache.Lock _ = cache.lock(() -> listener.progress(waiting));
                HubHttp http = new HubHttp(options);
                Meter meter = new Meter(reference.repository(), listener)) {
            CachedModel model = new Pull(options, reference, cache, http, meter).run();
            meter.phase(PullProgress.Phase.DONE);
            return model;
        }
    }

    private CachedModel run() throws HubException {
        String commit = hub.commit(reference);
        Optional<RepoTree> known = cache.tree(commit);
        RepoTree tree = known.isPresent() ? known.get() : hub.tree(reference, commit);
        Chosen chosen = Chooser.choose(reference, tree);
        if (known.isEmpty()) {
            cache.setTree(tree);
        }
        Optional<CachedModel> there = cache.whole(commit, chosen.id());
        CachedModel model = there.isPresent() ? there.get() : fetched(tree, chosen);
        if (!reference.pinned()) {
            cache.setRef(reference.revisionOrMain(), commit);
        }
        return model;
    }

    private CachedModel fetched(RepoTree tree, Chosen chosen) throws HubException {
        List<RepoFile> files = switch (chosen) {
            case Chosen.Gguf gguf -> gguf.parts();
            case Chosen.Directory d -> directory(tree, d);
        };
        for (RepoFile f : files) {
            if (!SafeName.isSafe(f.path())) {
                throw new HubException(new HubFault.UnsafeName(reference.repository(), tree.commit(), f.path()));
            }
        }
        Map<Digest, RepoFile> distinct = new LinkedHashMap<>();
        for (RepoFile f : files) {
            RepoFile same = distinct.putIfAbsent(f.digest(), f);
            if (same != null && same.bytes() != f.bytes()) {
                throw new HubException(new HubFault.BadAnswer(HubHttp.host(options.endpoint()), reference.toString(),
                        f.path() + " and " + same.path() + " have one digest and two sizes"));
            }
        }
        meter.expect(distinct.values().stream().mapToLong(RepoFile::bytes).sum(), distinct.size());
        fetch(tree.commit(), List.copyOf(distinct.values()));
        return cache.publish(tree.commit(), chosen, files);
    }

    /** The side files, and the weights or the shards that their index names; for that the index is fetched first. */
    private List<RepoFile> directory(RepoTree tree, Chosen.Directory d) throws HubException {
        List<RepoFile> files = new ArrayList<>(d.side());
        files.add(d.weights());
        if (!d.indexed()) {
            return files;
        }
        if (d.weights().bytes() > JsonLimits.INDEX.bytes()) {
            throw new HubException(new HubFault.NoWeights(reference.repository(), tree.commit(),
                    d.weights().path() + " has " + d.weights().bytes() + " bytes; at most " + JsonLimits.INDEX.bytes() + " are read"));
        }
        fetch(tree.commit(), List.of(d.weights()));
        for (String shard : shards(tree, cache.blob(d.weights().digest()), d.weights().path())) {
            files.add(tree.file(shard).orElseThrow(() -> SafeName.isSafe(shard)
                    ? new HubException(new HubFault.NoFile(reference.repository(), tree.commit(), shard, d.weights().path() + " names it"))
                    : new HubException(new HubFault.UnsafeName(reference.repository(), tree.commit(), shard))));
        }
        return files;
    }

    private TreeSet<String> shards(RepoTree tree, Path index, String name) throws HubException {
        try {
            TreeSet<String> out = new TreeSet<>();
            if (Json.tree(index, JsonLimits.INDEX).get("weight_map") instanceof Map<?, ?> map) {
                for (Object shard : map.values()) {
                    if (!(shard instanceof String s) || !s.endsWith(".safetensors")) {
                        throw new HubException(new HubFault.NoWeights(reference.repository(), tree.commit(),
                                name + ": weight_map: a shard is no .safetensors file"));
                    }
                    out.add(s);
                }
            }
            if (out.isEmpty()) {
                throw new HubException(new HubFault.NoWeights(reference.repository(), tree.commit(), name + ": weight_map: names no shard"));
            }
            return out;
        } catch (CheckpointException e) {
            throw new HubException(new HubFault.NoWeights(reference.repository(), tree.commit(), e.fault().message()), e);
        }
    }

    /** Fetches files that are not there, a few at a time; the first failure stops the others. */
    private void fetch(String commit, List<RepoFile> files) throws HubException {
        Map<RepoFile, Long> missing = new LinkedHashMap<>();
        for (RepoFile f : files) {
            if (isThere(f)) {
                meter.found(f.bytes());
                meter.fileDone();
            } else {
                Path part = cache.blob(f.digest()).resolveSibling(f.digest().hex() + PartFile.PART);
                long came = Files.exists(part) ? Math.min(f.bytes(), PartFile.received(part)) : 0;
                meter.found(came);
                missing.put(f, came);
            }
        }
        checkSpace(missing);
        meter.tell();
        Transfer.Shared shared = new Transfer.Shared(options, http, new Semaphore(options.connections()), meter, () -> failure.get() != null);
        try (ExecutorService workers = Executors.newFixedThreadPool(FILES_AT_ONCE, Thread.ofVirtual().factory())) {
            missing.forEach((f, came) -> workers.execute(() -> fetch(shared, commit, f, came)));
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    private void fetch(Transfer.Shared shared, String commit, RepoFile f, long came) {
        if (failure.get() != null) {
            return;
        }
        try {
            new Transfer(shared, f, came, cache.blob(f.digest()), hub.file(reference, commit, f.path()),
                    new HubHttp.Wanted(reference.repository(), commit, f.path())).run();
            meter.fileDone();
        } catch (HubException e) {
            failure.compareAndSet(null, e);
        } catch (RuntimeException e) {
            failure.compareAndSet(null, new HubException(new HubFault.CacheFile(cache.blob(f.digest()), "a fault in poot: " + e), e));
        }
    }

    private boolean isThere(RepoFile f) throws HubException {
        Path blob = cache.blob(f.digest());
        try {
            return Files.isRegularFile(blob) && Files.size(blob) == f.bytes();
        } catch (IOException e) {
            throw RepoCache.failure(blob, e);
        }
    }

    /** What is still to come must fit the disk. */
    private void checkSpace(Map<RepoFile, Long> missing) throws HubException {
        long bytes = missing.entrySet().stream().mapToLong(e -> e.getKey().bytes() - e.getValue()).sum();
        try {
            Files.createDirectories(cache.blobs());
            FileStore store = Files.getFileStore(cache.blobs());
            if (bytes > 0 && store.getUsableSpace() - SPARE < bytes) {
                throw new HubException(new HubFault.NoSpace(options.cache(), bytes + SPARE, store.getUsableSpace()));
            }
        } catch (IOException e) {
            throw RepoCache.failure(cache.blobs(), e);
        }
    }
}
