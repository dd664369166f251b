package poot.acceptance;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Where the project's own files lie: tests run in their module's directory. */
final class Repository {
    private Repository() {}

    /** The root of the source tree. */
    static Path root() {
        return Path.of("").toAbsolutePath().getParent();
    }

    /** The demo model. */
    static Path demoModel() {
        return root().resolve("models/poot-tiny");
    }

    /** The command's module path; where it was not packaged the calling test is skipped by name. */
    static Path modules() {
        Path modules = root().resolve("poot.serve/target/modules");
        Assumptions.assumeTrue(Files.isDirectory(modules), () -> "the command is not packaged: no " + modules + "; run `package`");
        return modules;
    }
}
