package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Makes a backend's jar as somebody else would: of its sources and its module's declaration, against packaged modules. */
final class PluginJar {
    private PluginJar() {}

    /**
     * Writes a modular jar.
     *
     * @param folder  a folder that does not exist, for what is made on the way
     * @param modules the module path it is compiled against
     * @param module  the text of its {@code module-info.java}
     */
    static void write(Path folder, Path modules, String module, List<Path> sources, Path jar) throws IOException {
        Path declared = Files.writeString(Files.createDirectories(folder).resolve("module-info.java"), module);
        Path classes = folder.resolve("classes");
        List<String> words = new ArrayList<>(List.of("-Xlint:all", "-Werror", "--class-path", folder.toString(), "--module-path",
                modules.toString(), "-d", classes.toString(), declared.toString()));
        sources.forEach(s -> words.add(s.toString()));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler().run(null, said, said, words.toArray(String[]::new));
        assertEquals(0, status, said.toString(StandardCharsets.UTF_8));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar)); Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }

    /** The sources in some folders, but for tests. */
    static List<Path> sources(Path... folders) throws IOException {
        List<Path> out = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(f -> f.toString().endsWith(".java") && !f.toString().endsWith("Test.java")).sorted().forEach(out::add);
            }
        }
        return out;
    }

    /** The first module's declaration that a page shows. */
    static String module(Path page) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf("```java\nmodule ");
        assertTrue(begin >= 0, page + " declares no module");
        return text.substring(begin + "```java\n".length(), text.indexOf("\n```", begin) + 1);
    }
}
