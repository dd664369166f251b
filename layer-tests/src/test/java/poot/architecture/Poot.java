package poot.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the rules look at: every class, module descriptor and source file that poot ships. */
final class Poot {
    /** All classes of all modules, tests excluded. */
    static final JavaClasses CLASSES =
            new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(location -> !location.contains("-tests.jar")).importPackages("poot");

    private Poot() {}

    /** The compiled descriptors of all modules, by name. */
    static SortedMap<String, ModuleDescriptor> modules() {
        SortedMap<String, ModuleDescriptor> out = new TreeMap<>();
        try {
            for (URL url : Collections.list(Poot.class.getClassLoader().getResources("module-info.class"))) {
                try (InputStream in = url.openStream()) {
                    ModuleDescriptor d = ModuleDescriptor.read(in);
                    if (d.name().startsWith("poot.")) {
                        out.put(d.name(), d);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out;
    }

    /** The root of the source tree: tests run in their module's directory. */
    static Path root() {
        return Path.of("").toAbsolutePath().getParent();
    }

    /** Every Java source file of every module, tests included. */
    static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(root())) {
            return modules.map(m -> m.resolve("src")).filter(Files::isDirectory).flatMap(Poot::javaFiles).sorted().toList();
        }
    }

    private static Stream<Path> javaFiles(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(f -> f.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
