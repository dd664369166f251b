package poot.core.text.template;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/** The shared data of the template tests; a test that asks for what is not there is skipped, by name. */
final class SharedTemplates {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The moment the expected texts were rendered at. */
    static final TemplateSettings SETTINGS = new TemplateSettings(
        Clock.fixed(LocalDateTime.of(2025, 1, 2, 3, 4, 5).toInstant(ZoneOffset.UTC), ZoneOffset.UTC), TemplateLimits.DEFAULT);

    private SharedTemplates() { }

    static Path shared(String name) {
        Path path = Path.of(System.getProperty("poot.shared", "../shared")).resolve(name);
        Assumptions.assumeTrue(Files.exists(path), "the shared data " + path + " is not there");
        return path;
    }

    static Map<String, Object> json(Path file) throws IOException {
        return JSON.readValue(Files.readString(file), new TypeReference<Map<String, Object>>() { });
    }

    /** Template sources by file name. */
    static SortedMap<String, String> sources() throws IOException {
        SortedMap<String, String> sources = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(shared("templates"), "*.jinja")) {
            for (Path file : files) {
                sources.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return sources;
    }

    /** The contexts by name. */
    @SuppressWarnings("unchecked")
    static SortedMap<String, Map<String, Object>> cases() throws IOException {
        SortedMap<String, Map<String, Object>> cases = new TreeMap<>();
        json(shared("templates/cases.json")).forEach((name, context) -> cases.put(name, (Map<String, Object>) context));
        return cases;
    }
}
