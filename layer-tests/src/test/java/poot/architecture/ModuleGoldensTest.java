package poot.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Guards what each module shows and needs: its descriptor as committed in {@code src/test/modules.txt}. A wanted
 * change is written there by {@code -Dpoot.goldens=write} and seen in review.
 */
class ModuleGoldensTest {
    private static final Path GOLDEN = Path.of("src/test/modules.txt");

    @Test
    void modulesAreWhatIsCommitted() throws IOException {
        String actual = Poot.modules().values().stream().map(ModuleGoldensTest::describe).collect(Collectors.joining("\n"));
        if ("write".equals(System.getProperty("poot.goldens"))) {
            Files.writeString(GOLDEN, actual);
        }
        assertEquals(Files.readString(GOLDEN), actual);
    }

    private static String describe(ModuleDescriptor d) {
        Set<String> lines = new TreeSet<>();
        d.exports().forEach(e -> lines.add("exports " + e.source() + to(e.targets())));
        d.opens().forEach(o -> lines.add("opens " + o.source() + to(o.targets())));
        d.provides().forEach(p -> lines.add("provides " + p.service() + " with " + String.join(", ", p.providers())));
        d.requires().stream().filter(r -> !r.name().equals("java.base"))
                .forEach(r -> lines.add("requires " + r.modifiers().stream()
                        .map(m -> m.name().toLowerCase(Locale.ROOT) + " ").sorted().collect(Collectors.joining()) + r.name()));
        d.uses().forEach(u -> lines.add("uses " + u));
        String open = d.isOpen() ? "open module " : "module ";
        return lines.stream().collect(Collectors.joining("\n  ", open + d.name() + "\n  ", "\n"));
    }

    private static String to(Set<String> targets) {
        return targets.isEmpty() ? "" : " to " + String.join(", ", new TreeSet<>(targets));
    }
}
