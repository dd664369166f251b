package poot.core.hub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One repository's part of the cache:
 *
 * <pre>
 *   models/OWNER/REPO/refs/REVISION                    the commit a revision was when it was last pulled
 *   models/OWNER/REPO/blobs/DIGEST                     whole, verified content; DIGEST.part and DIGEST.state while it comes
 *   models/OWNER/REPO/snapshots/COMMIT/tree.json       the files of the commit
 *   models/OWNER/REPO/snapshots/COMMIT/ID/model.json   one whole model: what it is made of
 *   models/OWNER/REPO/snapshots/COMMIT/ID/files/...    its files, as links to blobs
 *   locks/OWNER--REPO.lock                             held by the process that changes any of it
 * </pre>
 *
 * A model's folder is made under another name and moved into place, so it is there whole or not at all.
 */
final class RepoCache {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int LONGEST_REF = 200;
    /** Small files are on the disk before they get their names. */
    private static final OpenOption[] LASTING = {StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE, StandardOpenOption.SYNC};

    private final Path root;
    private final String repository;
    private final Path folder;

    RepoCache(Path root, String repository) {
        this.root = root;
        this.repository = repository;
        this.folder = root.resolve("models").resolve(repository);
    }

    Path folder() {
        return folder;
    }

    Path blobs() {
        return folder.resolve("blobs");
    }

    Path blob(Digest digest) {
        return blobs().resolve(digest.hex());
    }

    Path commits() {
        return folder.resolve("snapshots");
    }

    Path commit(String commit) {
        return commits().resolve(commit);
    }

    /** Where a model's folder is; an id that is no plain name is named by its hash. */
    Path model(String commit, String id) {
        boolean plain = id.length() <= 120 && id.indexOf('/') < 0 && SafeName.isSafe(id) && !id.startsWith(".") && !id.equals("tree.json");
        return commit(commit).resolve(plain ? id : "gguf-" + Digest.ofText(id).substring(0, 32));
    }

    private Path lockFile() {
        return root.resolve("locks").resolve(repository.replace("/", "--") + ".lock");
    }

    /** The commit a revision was when it was last pulled. */
    Optional<String> ref(String revision) throws HubException {
        Path file = refFile(revision);
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > LONGEST_REF) {
                return Optional.empty();
            }
            String commit = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
            return ModelReference.OnHub.isCommit(commit) ? Optional.of(commit) : Optional.empty();
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    void setRef(String revision, String commit) throws HubException {
        write(refFile(revision), commit + "\n");
    }

    private Path refFile(String revision) {
        return folder.resolve("refs").resolve(Hub.escaped(revision));
    }

    /** The files of a commit, if they were listed before. */
    Optional<RepoTree> tree(String commit) throws HubException {
        Path file = commit(commit).resolve("tree.json");
        return Files.isRegularFile(file) ? Optional.of(RepoTree.read(commit, file)) : Optional.empty();
    }

    void setTree(RepoTree tree) throws HubException {
        write(commit(tree.commit()).resolve("tree.json"), tree.text());
    }

    /** A model, if it is there and every file of it has its length. */
    Optional<CachedModel> whole(String commit, String id) throws HubException {
        Path at = model(commit, id);
        if (!Files.isRegularFile(at.resolve(Manifest.NAME))) {
            return Optional.empty();
        }
        CachedModel model = Manifest.read(at);
        boolean its = model.repository().equals(repository) && model.commit().equals(commit);
        return its && isWhole(at, model) ? Optional.of(model) : Optional.empty();
    }

    static boolean isWhole(Path at, CachedModel model) throws HubException {
        for (CachedModel.Stored f : model.files()) {
            Path file = at.resolve(Manifest.FILES).resolve(f.path());
            try {
                if (!Files.isRegularFile(file) || Files.size(file) != f.bytes()) {
                    return false;
                }
            } catch (IOException e) {
                throw failure(file, e);
            }
        }
        return true;
    }

    /** Makes a model of blobs that are all there, in one move. */
    CachedModel publish(String commit, Chooser.Chosen chosen, List<RepoFile> files) throws HubException {
        Path target = model(commit, chosen.id());
        Path making = target.resolveSibling(".new-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()));
        try {
            for (RepoFile f : files) {
                Path link = making.resolve(Manifest.FILES).resolve(f.path()).normalize();
                Files.createDirectories(link.getParent());
                link(link, blob(f.digest()));
            }
            List<CachedModel.Stored> stored = files.stream().map(f -> new CachedModel.Stored(f.path(), f.bytes(), f.digest().hex())).toList();
            String choice = chosen instanceof Chooser.Chosen.Gguf ? chosen.id() : "";
            Path content = target.resolve(Manifest.FILES);
            CachedModel model = new CachedModel(repository, commit, choice, choice.isEmpty() ? content : content.resolve(choice),
                    Instant.now().truncatedTo(ChronoUnit.SECONDS), stored);
            Files.writeString(making.resolve(Manifest.NAME), Manifest.text(model), LASTING);
            delete(target);
            Files.move(making, target, StandardCopyOption.ATOMIC_MOVE);
            return model;
        } catch (IOException e) {
            throw failure(target, e);
        } finally {
            delete(making);
        }
    }

    /** A relative symbolic link where the system allows it, else a second name of the file, else a copy. */
    private static void link(Path link, Path blob) throws IOException {
        try {
            Files.createSymbolicLink(link, link.getParent().relativize(blob));
        } catch (IOException | UnsupportedOperationException e) {
            try {
                Files.createLink(link, blob);
            } catch (IOException | UnsupportedOperationException f) {
                f.addSuppressed(e);
                Files.copy(blob, link);
            }
        }
    }

    /** The models of a commit that were published. */
    List<Path> models(Path commit) throws HubException {
        return children(commit).stream().filter(p -> Files.isRegularFile(p.resolve(Manifest.NAME))
                && !p.getFileName().toString().startsWith(".")).toList();
    }

    /** What is in a folder, in order; nothing if it is not there. */
    static List<Path> children(Path folder) throws HubException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            throw failure(folder, e);
        }
    }

    /** Waits until no other process and no other thread works here, then keeps them out until it is closed. */
    Lock lock(Runnable waiting) throws HubException {
        while (true) {
            Optional<Lock> lock = tryLock();
            if (lock.isPresent()) {
                return lock.get();
            }
            waiting.run();
            try {
                Thread.sleep(POLL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new HubException(new HubFault.Interrupted(repository), e);
            }
        }
    }

    /** Keeps others out, or says that one is there. */
    Lock lockNow() throws HubException {
        return tryLock().orElseThrow(() -> new HubException(new HubFault.InUse(repository, lockFile())));
    }

    /**
     * Takes the lock if it is free. A process loses its locks of a file when any of its threads closes that file, so the
     * lock's file is opened only by the thread that holds the guard; the guard's own lock keeps out the other threads, whose
     * refusal the Java platform itself decides.
     */
    private Optional<Lock> tryLock() throws HubException {
        Path file = lockFile();
        Path guardFile = file.resolveSibling(file.getFileName() + ".guard");
        try {
            Files.createDirectories(file.getParent());
            Optional<FileChannel> guard = locked(guardFile);
            if (guard.isEmpty()) {
                return Optional.empty();
            }
            Optional<FileChannel> lock = Optional.empty();
            try {
                lock = locked(file);
                return lock.map(l -> new Lock(l, guard.get(), file));
            } finally {
                if (lock.isEmpty()) {
                    guard.get().close();
                }
            }
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    private static Optional<FileChannel> locked(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean held = false;
        try {
            held = channel.tryLock() != null;
            return held ? Optional.of(channel) : Optional.empty();
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        } finally {
            if (!held) {
                channel.close();
            }
        }
    }

    /** A repository's lock; the system gives it back when the process ends, however it ends. */
    record Lock(FileChannel channel, FileChannel guard, Path file) implements AutoCloseable {
        @Override
        public void close() throws HubException {
            try (guard) {
                channel.close();
            } catch (IOException e) {
                throw failure(file, e);
            }
        }
    }

    /** Removes a file, or a folder and what is in it, without following links. */
    static void delete(Path what) throws HubException {
        try {
            if (Files.isDirectory(what, LinkOption.NOFOLLOW_LINKS)) {
                Files.walkFileTree(what, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        Files.delete(folder);
                        return FileVisitResult.CONTINUE;
                    }
                });
            } else {
                Files.deleteIfExists(what);
            }
        } catch (IOException e) {
            throw failure(what, e);
        }
    }

    /** Writes a small file whole or not at all. */
    private static void write(Path file, String text) throws HubException {
        Path part = file.resolveSibling("." + file.getFileName() + "." + ProcessHandle.current().pid() + ".new");
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(part, text, LASTING);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    static HubException failure(Path file, Exception e) {
        return new HubException(new HubFault.CacheFile(file, e.getClass().getSimpleName() + ": " + e.getMessage()), e);
    }

    /** Names of every model of the repository in the cache. */
    List<String> names() throws HubException {
        List<String> out = new ArrayList<>();
        for (Path commit : children(commits())) {
            for (Path at : models(commit)) {
                out.add(Manifest.read(at).pinnedName());
            }
        }
        return out;
    }
}
