package poot.core.hub;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import poot.api.model.CheckpointException;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/**
 * The files of a repository at a commit, by path. Paths are what the hub says; only those that {@link SafeName} takes are
 * ever written.
 */
record RepoTree(String commit, SortedMap<String, RepoFile> files) {
    /** Files of a repository at most. */
    static final int MOST_FILES = 100_000;
    /** Bytes of a file at most: 16 TiB. */
    private static final long LARGEST = 1L << 44;

    /** The file of that path. */
    Optional<RepoFile> file(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /** An entry of the hub's list, or empty for a folder; {@code reason} of the exception says what is wrong. */
    static Optional<RepoFile> entry(Object tree) throws BadEntryException {
        if (!(tree instanceof Map<?, ?> entry) || !(entry.get("path") instanceof String path)) {
            throw new BadEntryException("an entry without a path");
        }
        if (!"file".equals(entry.get("type"))) {
            return Optional.empty();
        }
        if (!(entry.get("size") instanceof Long size) || size < 0 || size > LARGEST) {
            throw new BadEntryException(path + " has the size " + entry.get("size"));
        }
        if (entry.get("lfs") instanceof Map<?, ?> lfs) {
            Object bytes = lfs.containsKey("size") ? lfs.get("size") : size;
            if (!(lfs.get("oid") instanceof String oid) || !size.equals(bytes)) {
                throw new BadEntryException(path + " has no usable lfs record");
            }
            return Optional.of(file(path, size, Digest.Kind.SHA256, oid.startsWith("sha256:") ? oid.substring(7) : oid));
        }
        return Optional.of(file(path, size, Digest.Kind.GIT, entry.get("oid") instanceof String oid ? oid : ""));
    }

    private static RepoFile file(String path, long size, Digest.Kind kind, String hex) throws BadEntryException {
        if (!Digest.isForm(kind, hex)) {
            throw new BadEntryException(path + " has no usable digest: \"" + hex + "\"");
        }
        return new RepoFile(path, size, new Digest(kind, hex));
    }

    /** The tree of files whose paths are all different. */
    static RepoTree of(String commit, List<RepoFile> files) throws BadEntryException {
        SortedMap<String, RepoFile> byPath = new TreeMap<>();
        for (RepoFile f : files) {
            if (byPath.put(f.path(), f) != null) {
                throw new BadEntryException(f.path() + " is listed twice");
            }
        }
        return new RepoTree(commit, byPath);
    }

    /** As it is kept in the cache; the hub's own form, without what is not needed. */
    String text() {
        List<Object> entries = new ArrayList<>();
        for (RepoFile f : files.values()) {
            Map<String, Object> e = new LinkedHashMap<>();
            e.put("type", "file");
            e.put("path", f.path());
            e.put("size", f.bytes());
            switch (f.digest().kind()) {
                case SHA256 -> e.put("lfs", Map.of("oid", f.digest().hex()));
                case GIT -> e.put("oid", f.digest().hex());
            }
            entries.add(e);
        }
        return Json.text(entries);
    }

    /** Reads what {@link #text} wrote. */
    static RepoTree read(String commit, Path file) throws HubException {
        try {
            if (!(Json.value(file, JsonLimits.INDEX) instanceof List<?> list) || list.size() > MOST_FILES) {
                throw new HubException(new HubFault.CacheFile(file, "not the list of a repository's files"));
            }
            List<RepoFile> files = new ArrayList<>();
            for (Object entry : list) {
                entry(entry).ifPresent(files::add);
            }
            return of(commit, files);
        } catch (CheckpointException e) {
            throw new HubException(new HubFault.CacheFile(file, e.fault().message()), e);
        } catch (BadEntryException e) {
            throw new HubException(new HubFault.CacheFile(file, e.getMessage()), e);
        }
    }

    /** An entry of a list of files is not what the hub's interface says. */
    static final class BadEntryException extends IOException {
        private static final long serialVersionUID = 1L;

        BadEntryException(String reason) {
            super(HubFault.printable(reason, 300));
        }
    }
}
