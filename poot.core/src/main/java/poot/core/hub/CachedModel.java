package poot.core.hub;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * A whole model in the cache.
 *
 * @param repository {@code OWNER/REPO}
 * @param commit     what its revision was when it was pulled
 * @param choice     the GGUF file that names it, or empty for the safetensors checkpoint of the repository
 * @param path       what a loader takes: a folder, or a GGUF file
 * @param pulled     when
 * @param files      its files
 */
public record CachedModel(String repository, String commit, String choice, Path path, Instant pulled, List<Stored> files) {
    /**
     * A file of the model.
     *
     * @param path   its name in the repository
     * @param bytes  its length
     * @param digest SHA-256, or git's SHA-1, in hexadecimal: the name of its content in the cache
     */
    public record Stored(String path, long bytes, String digest) {}

    public CachedModel {
        Objects.requireNonNull(path);
        files = List.copyOf(files);
    }

    /** A reference to it, without the revision. */
    public String name() {
        return "hf.co/" + repository + (choice.isEmpty() ? "" : ":" + choice);
    }

    /** A reference to it and nothing else. */
    public String pinnedName() {
        return "hf.co/" + repository + "@" + commit + (choice.isEmpty() ? "" : ":" + choice);
    }

    /** Its length. */
    public long bytes() {
        return files.stream().mapToLong(Stored::bytes).sum();
    }
}
