package poot.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import poot.api.model.FamilyEntry;
import poot.families.Families;

/**
 * Guards that one road serves every family: the driver, engine, compiler, executors and serve name none, neither in an
 * identifier nor in a string. Every UTF-8 entry of their class files' constant pools is split into words, at case
 * changes and at what is neither letter nor digit, and no word may be a family's name. Likewise the driver, the engine and
 * serve name no backend of devices; a CPU there is everywhere.
 */
class FamilyNamesTest {
    private static final List<String> GUARDED = List.of("poot.core.driver", "poot.core.engine", "poot.core.compile", "poot.core.kernel",
            "poot.core.kv", "poot.core.sample", "poot.core.guide", "poot.backend", "poot.serve");
    private static final List<String> ON_EVERY_BACKEND = List.of("poot.core.driver", "poot.core.engine", "poot.core.kv", "poot.core.sample",
            "poot.serve");

    @Test
    void nothingThatServesEveryFamilyNamesOne() throws IOException {
        assertEquals(List.of(), found(GUARDED, families()));
    }

    @Test
    void nothingThatServesOnEveryBackendNamesOne() throws IOException {
        assertEquals(List.of(), found(ON_EVERY_BACKEND, Set.of("cuda", "nvidia", "ptx", "vulkan", "lavapipe", "spirv")));
    }

    /** Where packages have a word that is among {@code names}. */
    private static List<String> found(List<String> packages, Set<String> names) throws IOException {
        List<String> found = new ArrayList<>();
        for (JavaClass c : Poot.CLASSES) {
            if (packages.stream().anyMatch(p -> c.getPackageName().equals(p) || c.getPackageName().startsWith(p + "."))) {
                for (String text : texts(c)) {
                    words(text).stream().filter(names::contains).forEach(w -> found.add(c.getName() + ": \"" + text + "\""));
                }
            }
        }
        return found;
    }

    @Test
    void wordsAreSplitWhereCaseChanges() {
        assertEquals(List.of("qwen3", "attention"), words("Qwen3Attention"));
        assertEquals(List.of("model", "llama", "context", "length"), words("model.llama.context_length"));
        assertEquals(List.of("hf", "mpt"), words("HFMpt"));
        assertEquals(List.of("prompt"), words("prompt"));
        assertTrue(families().contains("llama"));
    }

    /** Names and keys of every shipped family. */
    private static Set<String> families() {
        Set<String> names = new TreeSet<>();
        for (FamilyEntry f : Families.SHIPPED) {
            names.add(f.family());
            f.keys().forEach(k -> names.add(k.name()));
        }
        return names;
    }

    private static List<String> texts(JavaClass c) throws IOException {
        String path = c.getName().replace('.', '/') + ".class";
        try (InputStream in = FamilyNamesTest.class.getClassLoader().getResourceAsStream(path)) {
            ClassModel model = ClassFile.of().parse(in.readAllBytes());
            List<String> out = new ArrayList<>();
            for (PoolEntry e : model.constantPool()) {
                if (e instanceof Utf8Entry u) {
                    out.add(u.stringValue());
                }
            }
            return out;
        }
    }

    private static List<String> words(String text) {
        String spaced = text.replaceAll("([a-z0-9])([A-Z])", "$1 $2").replaceAll("([A-Z])([A-Z][a-z])", "$1 $2");
        return List.of(spaced.replaceAll("[^A-Za-z0-9]+", " ").strip().toLowerCase(Locale.ROOT).split(" "));
    }
}
