package poot.core.hub;

import java.util.Objects;

/**
 * A file of a repository at a commit.
 *
 * @param path   its name, with forward slashes
 * @param bytes  its length
 * @param digest what its bytes hash to
 */
record RepoFile(String path, long bytes, Digest digest) {
    RepoFile {
        Objects.requireNonNull(path);
        Objects.requireNonNull(digest);
    }

    /** The name without its folders. */
    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
