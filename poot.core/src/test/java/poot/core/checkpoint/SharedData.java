package poot.core.checkpoint;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Where the shared test data lies; a test that needs it is skipped by name where it is missing. */
final class SharedData {
    private SharedData() {}

    /** A directory or file of the shared data. */
    static Path require(String name) {
        Path root = Path.of(System.getProperty("poot.shared", "../shared"));
        Path path = root.resolve(name);
        Assumptions.assumeTrue(Files.exists(path), "shared test data is missing: " + path);
        return path;
    }
}
