package poot.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Kernels exist once: what their sources are, and that none of it is for one backend. */
class KernelSourcesTest {
    private static final Path TABLE = Path.of("../docs/kernel-sources.md");
    private static final String KERNELS = "poot.core/src/main/java/poot/core/kernel/";
    /** What only a backend may say, in code or in words; the language of kernels names its outcomes once. */
    private static final Pattern BACKEND = Pattern.compile("(?i)cuda|nvidia|ptx|\\bsm_\\d|vulkan|spir-?v|lavapipe|radeon|glsl|opencl");
    private static final Path NAMES_THEM = Path.of("ir/package-info.java");
    private static final Pattern GENERATOR = Pattern.compile("(?m)^(?:public )?(?:final )?record (\\w+)\\([^{]*\\b(?:Generator|Rowed)\\b[^{]*\\{", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("\\| `([\\w.]+)` \\| (\\d+) \\|.*");

    /** Guards that a kernel's text for a backend is written by its emitter alone. */
    @Test
    void nothingIsForOneBackend() throws IOException {
        Path root = Poot.root().resolve(KERNELS);
        List<String> found = new ArrayList<>();
        for (Path file : sources(root)) {
            Matcher m = BACKEND.matcher(Files.readString(file));
            if (m.find() && !root.relativize(file).equals(NAMES_THEM)) {
                found.add(root.relativize(file) + " says " + m.group());
            }
        }
        assertEquals(List.of(), found);
        assertTrue(BACKEND.matcher("ld.global // as PTX has it").find());
        assertFalse(BACKEND.matcher("subgroups of the device").find());
    }

    /** Guards the table: every room is there, and no count is off by a quarter. {@code -Dpoot.goldens=write} writes it. */
    @Test
    void theTableIsOfTheseSources() throws IOException {
        SortedMap<String, Room> rooms = rooms();
        if ("write".equals(System.getProperty("poot.goldens"))) {
            Files.writeString(TABLE, text(rooms));
        }
        SortedMap<String, Long> written = new TreeMap<>();
        for (String line : Files.readAllLines(TABLE)) {
            Matcher m = ROW.matcher(line);
            if (m.matches()) {
                written.put(m.group(1), Long.parseLong(m.group(2)));
            }
        }
        assertEquals(rooms.keySet(), written.keySet(), "rooms in " + TABLE);
        rooms.forEach((name, r) -> assertTrue(Math.abs(r.lines() - written.get(name)) * 4 <= r.lines(),
                name + " has " + r.lines() + " lines and " + TABLE + " says " + written.get(name)));
    }

    /** A package: its lines, and its generators with theirs. */
    private record Room(long lines, SortedMap<String, Long> generators) {}

    private static SortedMap<String, Room> rooms() throws IOException {
        SortedMap<String, Room> out = new TreeMap<>();
        for (String base : List.of(KERNELS, "poot.backend.cuda/src/main/java/poot/backend/cuda/ptx/",
                "poot.backend.vulkan/src/main/java/poot/backend/vulkan/spirv/")) {
            Path root = Poot.root().resolve(base);
            for (Path file : Files.isDirectory(root) ? sources(root) : List.<Path>of()) {
                String name = Poot.root().relativize(file.getParent()).toString().replace('\\', '/')
                        .replaceFirst(".*/src/main/java/poot/", "").replace('/', '.').replaceFirst("^(core|backend)\\.", "");
                String text = Files.readString(file);
                Room r = out.getOrDefault(name, new Room(0, new TreeMap<>()));
                Matcher m = GENERATOR.matcher(text);
                if (m.find()) {
                    r.generators().put(m.group(1), text.lines().count());
                }
                out.put(name, new Room(r.lines() + text.lines().count(), r.generators()));
            }
        }
        return out;
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(f -> f.toString().endsWith(".java")).sorted().toList();
        }
    }

    private static String text(SortedMap<String, Room> rooms) {
        StringBuilder out = new StringBuilder("""
                # Kernel sources

                Every kernel of the GPUs is written once, in Java, and turned into what a driver takes by one emitter for each
                backend. Lines of the rooms that kernels come from, comments included; written by `KernelSourcesTest`, which also
                holds that nothing but an emitter speaks of one backend.

                | room | lines | generators and their lines |
                |---|---|---|
                """);
        rooms.forEach((name, r) -> out.append("| `").append(name).append("` | ").append(r.lines()).append(" | ")
                .append(String.join(", ", r.generators().entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList()))
                .append(" |\n"));
        return out.toString();
    }
}
