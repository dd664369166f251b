package poot.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.haveRawType;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import poot.api.graph.Encoding;

/** How classes are written. Each rule is also shown to catch what it is for. */
class HabitsTest {
    /** Source files that may be longer than the limit, each with its reason. */
    private static final Map<String, String> LONG_FILES = Map.of(
            "poot.backend.cuda/src/main/java/poot/backend/cuda/ffi/Cuda.java", "written by jextract",
            "poot.backend.cuda/src/main/java/poot/backend/cuda/ffi/CUDA_KERNEL_NODE_PARAMS_v2_st.java", "written by jextract",
            "poot.backend.cuda/src/main/java/poot/backend/cuda/ffi/CUDA_MEMCPY3D_st.java", "written by jextract");
    private static final int LONGEST_FILE = 400;

    /** What changes after it is made, with every subtype. */
    private static final List<Class<?>> MUTABLE = List.of(AbstractCollection.class, AbstractMap.class, ConcurrentMap.class,
            ThreadLocal.class, StringBuilder.class);

    /** Guards against rooms for everything: a class is named for the one thing it is. */
    private static final ArchRule NAMES = classes()
            .should().haveNameNotMatching("(.*[.$])?\\w*(Util|Utils|Helper|Helpers|Manager)([A-Z]\\w*)?")
            .andShould().haveNameNotMatching("(.*[.$])?\\w*(Base|Impl)");

    /** Guards against untyped attributes: what an operation carries has a type. */
    private static final ArchRule ATTRIBUTES =
            noFields().should(haveRawType(Object[].class));

    /** Guards against global state: a static field is final and holds nothing that changes; a package may keep tables. */
    private static final ArchRule STATICS = noFields().that(describe("are static and can change", HabitsTest::changes))
            .should().beStatic().allowEmptyShould(true);

    /** Guards that native memory stays behind one door: symbols, addresses and resized segments in ffi and device packages. */
    private static final ArchRule NATIVES = noClasses().that().resideOutsideOfPackages("poot.backend..ffi..", "poot.backend..device..")
            .should().dependOnClassesThat(describe("link native code",
                    c -> c.isEquivalentTo(Linker.class) || c.isEquivalentTo(SymbolLookup.class)))
            .orShould().callMethodWhere(calls(MemorySegment.class, "reinterpret|ofAddress"));

    /** Guards that every segment has an owner that ends its life: no arena without a close. */
    private static final ArchRule OWNERS = noClasses().should().callMethodWhere(calls(Arena.class, "ofAuto|global"));

    /** Guards that a packed format is a descriptor and a block decoder: nothing else, no tiling above all, asks which it is. */
    private static final ArchRule FORMATS = noClasses().that().resideOutsideOfPackages("poot.api.graph", "poot.core.checkpoint",
            "poot.core.quant", "poot.core.kernel.decode", "poot.backend..weight", "poot.serve.bench")
            .should().accessFieldWhere(describe("names an encoding",
                    (JavaFieldAccess a) -> a.getTargetOwner().isEquivalentTo(Encoding.class)));

    /** Guards typed errors: no exception that says nothing of what is wrong. */
    private static final ArchRule THROWN = noClasses().should().callConstructorWhere(describe("creates a bare exception",
            HabitsTest::isBare));

    /** Guards a library's silence: standard streams belong to the command. */
    private static final ArchRule STREAMS = noClasses().that().resideOutsideOfPackage("poot.serve..")
            .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
            .orShould().callMethodWhere(target(nameMatching("printStackTrace")).as("calls printStackTrace"));

    @Test
    void classesAreNamedForWhatTheyAre() {
        NAMES.check(Poot.CLASSES);
        caught(NAMES, Violations.TextHelper.class);
        caught(NAMES, Violations.CacheImpl.class);
    }

    @Test
    void attributesAreTyped() {
        ATTRIBUTES.check(Poot.CLASSES);
        caught(ATTRIBUTES, Violations.Attributes.class);
    }

    @Test
    void staticsNeverChange() {
        STATICS.check(Poot.CLASSES);
        caught(STATICS, Violations.Counter.class);
        caught(STATICS, Violations.Cache.class);
    }

    @Test
    void nativeCodeIsBehindOneDoor() {
        NATIVES.check(Poot.CLASSES);
        caught(NATIVES, Violations.Native.class);
        OWNERS.check(Poot.CLASSES);
        caught(OWNERS, Violations.Unowned.class);
    }

    @Test
    void formatsAreReadInOnePlace() {
        FORMATS.check(Poot.CLASSES);
        caught(FORMATS, Violations.Tiled.class);
    }

    @Test
    void errorsSayWhatIsWrong() {
        THROWN.check(Poot.CLASSES);
        caught(THROWN, Violations.Bare.class);
    }

    @Test
    void standardStreamsBelongToTheCommand() {
        STREAMS.check(Poot.CLASSES);
        caught(STREAMS, Violations.Loud.class);
    }

    /** Guards against files nobody reads to the end; a longer one gives its reason in the list above. */
    @Test
    void filesStayShort() throws IOException {
        List<String> found = new ArrayList<>();
        Set<String> needless = new TreeSet<>(LONG_FILES.keySet());
        for (Path file : Poot.sources()) {
            String name = Poot.root().relativize(file).toString().replace('\\', '/');
            long lines;
            try (var all = Files.lines(file)) {
                lines = all.count();
            }
            if (lines > LONGEST_FILE && !needless.remove(name)) {
                found.add(name + " has " + lines + " lines");
            }
        }
        assertEquals(List.of(), found);
        assertEquals(Set.of(), needless, "exceptions that no file needs");
    }

    /** Guards that services are declared once: in the module descriptor, never in a resource. */
    @Test
    void servicesAreDeclaredByModules() throws IOException {
        try (var modules = Files.newDirectoryStream(Poot.root(), "poot.*")) {
            for (Path m : modules) {
                assertEquals(provided(m), forTheClassPath(m), m + ": META-INF/services says what module-info provides, no more and no less");
            }
        }
    }

    /** {@code service provider} for each service of a module's declaration. */
    private static Set<String> provided(Path module) throws IOException {
        Set<String> out = new TreeSet<>();
        Matcher m = Pattern.compile("provides (\\S+)\\s+with\\s+([^;]+);").matcher(Files.readString(module.resolve("src/main/java/module-info.java")));
        while (m.find()) {
            for (String provider : m.group(2).split(",")) {
                out.add(m.group(1) + " " + provider.strip());
            }
        }
        return out;
    }

    private static Set<String> forTheClassPath(Path module) throws IOException {
        Set<String> out = new TreeSet<>();
        Path services = module.resolve("src/main/resources/META-INF/services");
        if (Files.exists(services)) {
            try (var files = Files.newDirectoryStream(services)) {
                for (Path f : files) {
                    Files.readAllLines(f).forEach(provider -> out.add(f.getFileName() + " " + provider));
                }
            }
        }
        return out;
    }

    private static void caught(ArchRule rule, Class<?> violation) {
        assertThrows(AssertionError.class, () -> rule.check(new ClassFileImporter().importClasses(violation)));
    }

    private static <T> DescribedPredicate<T> describe(String text, Predicate<? super T> test) {
        return DescribedPredicate.describe(text, test::test);
    }

    private static DescribedPredicate<JavaCall<?>> calls(Class<?> type, String methods) {
        return target(owner(describe("is " + type.getSimpleName(), (JavaClass c) -> c.isEquivalentTo(type))))
                .and(target(nameMatching(methods)).as("calls " + methods)).as("calls " + type.getSimpleName() + "." + methods);
    }

    private static boolean changes(JavaField f) {
        if (!f.getModifiers().contains(JavaModifier.STATIC) || f.getModifiers().contains(JavaModifier.SYNTHETIC)) {
            return false;
        }
        JavaClass type = f.getRawType();
        boolean table = f.getModifiers().stream().noneMatch(m -> m == JavaModifier.PUBLIC || m == JavaModifier.PROTECTED)
                && type.getBaseComponentType().isPrimitive();
        boolean sharedArray = type.isArray() && !table && !f.getModifiers().contains(JavaModifier.PRIVATE);
        boolean collection = type.getPackageName().equals("java.util.concurrent.atomic")
                || type.getPackageName().startsWith("java.") && MUTABLE.stream().anyMatch(m -> m.isAssignableFrom(type.reflect()));
        return !f.getModifiers().contains(JavaModifier.FINAL) || sharedArray || collection;
    }

    private static boolean isBare(JavaConstructorCall call) {
        String type = ((HasName) call.getTargetOwner()).getName();
        boolean says = !call.getTarget().getRawParameterTypes().isEmpty();
        return switch (type) {
            case "java.lang.Throwable", "java.lang.Exception", "java.lang.RuntimeException", "java.lang.Error" ->
                !call.getOrigin().isConstructor();
            case "java.lang.UnsupportedOperationException", "java.lang.IllegalStateException",
                    "java.lang.IllegalArgumentException" -> !says;
            default -> false;
        };
    }
}
