package poot.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.module.ModuleDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which way modules and packages may depend. */
class LayersTest {
    /** Guards that embedding the API brings nothing along: poot.api needs the platform alone. */
    @Test
    void theApiNeedsNothingButTheBaseModule() {
        assertEquals(Set.of("java.base"), requires("poot.api"));
    }

    /** Guards that a family is a description: it knows the API, never the machinery or a backend. */
    @Test
    void familiesKnowTheApiAlone() {
        assertEquals(Set.of("java.base", "poot.api"), requires("poot.families"));
        noClasses().that().resideInAPackage("poot.families..")
                .should().dependOnClassesThat().resideInAnyPackage("poot.core..", "poot.backend..", "poot.serve..")
                .allowEmptyShould(true).check(Poot.CLASSES);
    }

    /** Guards that the machinery serves any family and any backend: it depends on none. */
    @Test
    void theMachineryKnowsNoFamilyAndNoBackend() {
        noClasses().that().resideInAPackage("poot.core..")
                .should().dependOnClassesThat().resideInAnyPackage("poot.families..", "poot.backend..", "poot.serve..")
                .allowEmptyShould(true).check(Poot.CLASSES);
    }

    /** Guards that a backend is a jar of its own: it knows the API and the kernel language, no other room. */
    @Test
    void backendsKnowNoFamilyAndNoDriver() {
        noClasses().that().resideInAPackage("poot.backend..")
                .should().dependOnClassesThat(classesOutsideABackend())
                .allowEmptyShould(true).check(Poot.CLASSES);
    }

    /** Guards that a backend is found, never named: serve reaches it through the provider lookup alone. */
    @Test
    void serveNamesNoBackend() {
        noClasses().that().resideInAPackage("poot.serve..")
                .should().dependOnClassesThat().resideInAPackage("poot.backend..")
                .allowEmptyShould(true).check(Poot.CLASSES);
    }

    /** Guards that whose a block is has one owner: only the driver hands blocks out. */
    @Test
    void blocksBelongToTheDriver() {
        noClasses().that().resideOutsideOfPackages("poot.core.kv", "poot.core.driver")
                .should().dependOnClassesThat().resideInAPackage("poot.core.kv")
                .check(Poot.CLASSES);
    }

    /** Guards that packages can be read one at a time: their dependencies form no cycle. */
    @Test
    void packagesFormNoCycle() {
        slices().matching("poot.(**)").should().beFreeOfCycles().check(Poot.CLASSES);
    }

    /** Guards callers from third parties: what a module exports speaks of poot and the platform alone. */
    @Test
    void exportedSignaturesCarryNoThirdParty() {
        Set<String> exported = new TreeSet<>();
        for (ModuleDescriptor d : Poot.modules().values()) {
            d.exports().forEach(e -> exported.add(e.source()));
        }
        List<String> found = new ArrayList<>();
        for (JavaClass c : Poot.CLASSES) {
            if (exported.contains(c.getPackageName()) && visible(c.getModifiers())) {
                foreign(c).forEach(t -> found.add(c.getName() + " carries " + t));
            }
        }
        assertEquals(List.of(), found);
    }

    private static Stream<String> foreign(JavaClass c) {
        Stream<JavaClass> fields = c.getFields().stream().filter(f -> visible(f.getModifiers()))
                .map(JavaField::getAllInvolvedRawTypes).flatMap(Set::stream);
        Stream<JavaClass> codeUnits = c.getCodeUnits().stream().filter(u -> visible(u.getModifiers()))
                .map(JavaCodeUnit::getAllInvolvedRawTypes).flatMap(Set::stream);
        Stream<JavaClass> parents = Stream.concat(c.getRawSuperclass().stream(), c.getRawInterfaces().stream());
        Predicate<JavaClass> known = t -> t.getBaseComponentType().isPrimitive()
                || t.getBaseComponentType().getPackageName().matches("(java|jdk|poot)(\\..*)?");
        return Stream.of(fields, codeUnits, parents).flatMap(s -> s).filter(known.negate()).map(JavaClass::getName);
    }

    private static boolean visible(Set<JavaModifier> m) {
        return m.contains(JavaModifier.PUBLIC) || m.contains(JavaModifier.PROTECTED);
    }

    private static DescribedPredicate<JavaClass> classesOutsideABackend() {
        return DescribedPredicate.describe("other rooms than the API and the kernel language",
                c -> c.getPackageName().matches("poot\\.(families|serve|core)(\\..*)?")
                        && !c.getPackageName().matches("poot\\.core\\.kernel(\\..*)?"));
    }

    private static Set<String> requires(String module) {
        Set<String> out = new TreeSet<>();
        Poot.modules().get(module).requires().forEach(r -> out.add(r.name()));
        return out;
    }
}
