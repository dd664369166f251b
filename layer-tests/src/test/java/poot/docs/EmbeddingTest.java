package poot.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.driver.DriverOptions;
import poot.api.driver.PrepareException;
import poot.api.driver.PrepareFault;
import poot.api.driver.UnpreparedDriver;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorException;
import poot.api.executor.ExecutorOptions;
import poot.api.executor.ExecutorProvider;
import poot.core.driver.Backends;
import poot.core.driver.Driver;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.core.hub.HubException;
import poot.families.Families;
import poot.step.Backend;

/** What embedding takes: the programs of the readme run on the module path, where backends are found. */
class EmbeddingTest {
    private static final Path MODEL = Path.of("../models/poot-tiny");

    @ParameterizedTest
    @ValueSource(classes = {Embedding.class, ManyRequests.class})
    void tenLinesGenerate(Class<?> program) throws Exception {
        String modules = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(p -> (p.contains("poot.") || p.contains("jackson-")) && !p.contains("test-classes"))
                .filter(p -> Stream.of("poot.serve", "poot.backend.cuda", "poot.backend.vulkan").noneMatch(p::contains))
                .collect(Collectors.joining(File.pathSeparator));
        Path here = Path.of(program.getProtectionDomain().getCodeSource().getLocation().toURI());
        Process java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m",
                "--module-path", modules, "--add-modules", "ALL-MODULE-PATH", "-cp", here.toString(),
                program.getName(), MODEL.toString(), "Hello").redirectErrorStream(true).start();
        String out = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, java.waitFor(), out);
        String answer = out.lines().filter(l -> !l.startsWith("WARNING")).collect(Collectors.joining("\n"));
        assertTrue(answer.strip().length() > 1, out);
    }

    @ParameterizedTest
    @ValueSource(classes = {Embedding.class, ManyRequests.class})
    void theReadmeShowsThatProgram(Class<?> program) throws Exception {
        String source = Files.readString(Path.of("src/test/java/poot/docs/" + program.getSimpleName() + ".java"));
        String body = source.substring(source.indexOf("        try ("), source.lastIndexOf("    }\n}")).stripTrailing().stripIndent();
        assertTrue(Files.readString(Path.of("../README.md")).contains("```java\n" + body + "\n```"), body);
    }

    @Test
    void aRefusalIsThrownAndGivesTheModelBack() throws Exception {
        try (ModelHandle model = ModelHandle.load(MODEL, Families.registry(), LoadOptions.DEFAULT);
                Executor executor = Backend.CPU.open()) {
            UnpreparedDriver driver = Driver.over(model, executor, DriverOptions.DEFAULT.withCapacity(1 << 20));
            PrepareException e = assertThrows(PrepareException.class, () -> driver.prepare().orElseThrow());
            assertTrue(e.fault() instanceof PrepareFault.BadOption, e.getMessage());
            assertThrows(IllegalStateException.class, driver::prepare, "it was closed");
        }
    }

    @Test
    void aModelIsLoadedByItsName() throws Exception {
        try (ModelHandle model = ModelHandle.load(MODEL.toString(), Families.registry(), LoadOptions.DEFAULT)) {
            assertTrue(model.text().isPresent());
        }
        HubException e = assertThrows(HubException.class, () -> ModelHandle.load("hf.co/no-owner", Families.registry(), LoadOptions.DEFAULT));
        assertTrue(e.getMessage().contains("hf.co/OWNER/REPO"), e.getMessage());
    }

    @Test
    void backendsAreFoundOnAClassPathAndOneThatIsNotThereIsNamed() throws Exception {
        ExecutorException e = assertThrows(ExecutorException.class, () -> Backends.open("abacus", ExecutorOptions.DEFAULT));
        assertTrue(e.getMessage().contains("abacus"), e.getMessage());
        assertEquals(Set.of("cpu", "cuda", "vulkan"), Backends.all().stream().map(ExecutorProvider::name).collect(Collectors.toSet()));
        Backends.best(ExecutorOptions.DEFAULT).close();
    }
}
