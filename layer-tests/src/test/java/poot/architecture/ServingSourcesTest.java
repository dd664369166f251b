package poot.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How large engine and server are, as the page of the engine says. */
class ServingSourcesTest {
    private static final Path PAGE = Path.of("../docs/serving-engine.md");
    private static final Pattern ROW = Pattern.compile("(\\| `([\\w.]+)` \\| )(\\d+)( \\|.*)");
    /** Rooms of the command that are no part of a server. */
    private static final Set<String> BESIDE = Set.of("serve", "serve.bench", "serve.command", "serve.load");

    /** Guards the table: every room is there, and no count is off by a quarter. {@code -Dpoot.goldens=write} writes the counts. */
    @Test
    void thePageSaysHowLargeTheyAre() throws IOException {
        SortedMap<String, Long> rooms = new TreeMap<>();
        count(rooms, "poot.core/src/main/java/poot/", "core/engine");
        count(rooms, "poot.serve/src/main/java/poot/", "serve");
        rooms.keySet().removeAll(BESIDE);
        if ("write".equals(System.getProperty("poot.goldens"))) {
            Files.writeString(PAGE, ROW.matcher(Files.readString(PAGE)).replaceAll(m -> Matcher.quoteReplacement(
                    m.group(1) + rooms.getOrDefault(m.group(2), 0L) + m.group(4))));
        }
        SortedMap<String, Long> written = new TreeMap<>();
        Files.readAllLines(PAGE).stream().map(ROW::matcher).filter(Matcher::matches)
                .forEach(m -> written.put(m.group(2), Long.parseLong(m.group(3))));
        assertEquals(rooms.keySet(), written.keySet(), "rooms in " + PAGE);
        rooms.forEach((name, lines) -> assertTrue(Math.abs(lines - written.get(name)) * 4 <= lines,
                name + " has " + lines + " lines and " + PAGE + " says " + written.get(name)));
    }

    /** Adds the lines of every package from {@code under} down. */
    private static void count(SortedMap<String, Long> rooms, String base, String under) throws IOException {
        Path root = Poot.root().resolve(base);
        try (Stream<Path> files = Files.walk(root.resolve(under))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String room = root.relativize(file.getParent()).toString().replace('\\', '/').replace('/', '.');
                rooms.merge(room, Files.readString(file).lines().count(), Long::sum);
            }
        }
    }
}
