package poot.golden;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Test data shared between projects, under the directory of the system property {@code poot.shared}. */
public final class SharedData {
    private SharedData() {}

    /** A file or directory of the shared data; where it is missing the calling test is skipped by name. */
    public static Path require(String relative) {
        Path path = Path.of(System.getProperty("poot.shared", "../shared")).resolve(relative).normalize();
        assumeTrue(Files.exists(path), () -> "no shared test data at " + path + "; set -Dpoot.shared");
        return path;
    }
}
