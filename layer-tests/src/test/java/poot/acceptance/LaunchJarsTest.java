package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./poot} beside a jar that is none: Java would not start, and say so in words of its own. */
class LaunchJarsTest {
    @TempDir
    private Path root;
    private Path modules;

    /** A built repository as the launcher sees it, with nothing in it. */
    @BeforeEach
    void build() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh: poot is started by a shell script");
        Path home = Repository.root();
        Files.copy(home.resolve("poot"), root.resolve("poot"));
        Files.createDirectory(root.resolve("launch"));
        for (String file : List.of("jdk.sh", "jars.sh", "java.options")) {
            Files.copy(home.resolve("launch").resolve(file), root.resolve("launch").resolve(file));
        }
        modules = Files.createDirectories(root.resolve("poot.serve/target/modules"));
        Files.createDirectory(root.resolve("build"));
        Files.createFile(root.resolve("build/built"));
    }

    private Launched poot(String plugins) throws Exception {
        return Launched.run(List.of("/bin/sh", root.resolve("poot").toString(), "backends"), "",
                Map.of("POOT_PLUGINS", plugins, "POOT_JAVA_HOME", System.getProperty("java.home")));
    }

    private void assertNamed(Path jar, Launched run) {
        assertEquals(1, run.status());
        assertEquals("poot: " + jar + " is not a jar, or not all of one: take it away, or copy it there again\n", run.err());
    }

    @Test
    void besideTheModules() throws Exception {
        assertFalse(poot("").err().contains("is not a jar"));
        Path broken = Files.writeString(modules.resolve("broken.jar"), "<html>not found</html>");
        assertNamed(broken, poot(""));
        assertNamed(broken, poot(""));
        Files.delete(broken);
        assertFalse(poot("").err().contains("is not a jar"));
    }

    @Test
    void amongThePlugins() throws Exception {
        Path folder = Files.createDirectory(root.resolve("some plugins"));
        Path broken = Files.writeString(folder.resolve("broken.jar"), "PK");
        Files.writeString(folder.resolve("a page.txt"), "no jar at all");
        assertNamed(broken, poot(folder.toString()));
        assertNamed(broken, poot("/nowhere:" + broken));
        Files.delete(broken);
        Launched run = poot(folder.toString());
        assertNotEquals(0, run.status(), "there are no modules");
        assertFalse(run.err().contains("is not a jar"), run.err());
    }
}
