package poot.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Where the project's own files lie: tests run in their module's directory. */
public final class Repository {
    private Repository() {}

    /** The root of the source tree. */
    static Path root() {
        return Path.of("").toAbsolutePath().getParent();
    }

    /** The demo model. */
    public static Path demoModel() {
        return root().resolve("models/poot-tiny");
    }

    /**
     * The command's module path; where it was not packaged, or before its classes were last compiled, the calling test is
     * skipped by name.
     */
    static Path modules() throws IOException {
        Path modules = root().resolve("poot.serve/target/modules");
        Assumptions.assumeTrue(Files.isDirectory(modules), () -> "the command is not packaged: no " + modules + "; run `package`");
        try (Stream<Path> jars = Files.list(modules)) {
            for (Path jar : jars.filter(j -> j.getFileName().toString().startsWith("poot.")).toList()) {
                Path classes = root().resolve(jar.getFileName().toString().split("-")[0]).resolve("target/classes");
                Assumptions.assumeTrue(newest(classes) <= jar.toFile().lastModified(),
                        () -> jar + " is older than what is in " + classes + "; run `package`");
            }
        }
        return modules;
    }

    private static long newest(Path classes) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            return files.filter(f -> f.toString().endsWith(".class")).mapToLong(f -> f.toFile().lastModified()).max().orElse(0);
        }
    }
}
