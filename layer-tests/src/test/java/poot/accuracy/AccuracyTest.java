package poot.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import poot.api.executor.Executor;
import poot.families.Families;
import poot.golden.OpenModel;
import poot.step.Backend;

/**
 * What the CPU makes of packed weights against the oracle over the same bytes. {@code -Dpoot.accuracy=write} reads some
 * hundred positions of each model instead of some dozen, and writes the table.
 */
class AccuracyTest {
    private static final boolean WRITE = "write".equals(System.getProperty("poot.accuracy"));
    private static final Subject.Extent EXTENT = WRITE ? new Subject.Extent(2, 128) : new Subject.Extent(1, 24);
    /** Tokens a step: a prompt, a few rows together, one. */
    private static final List<Integer> CUTS = List.of(Integer.MAX_VALUE, 5, 1);

    private static final Set<String> SOME = Set.of("as stored", "Q8_0", "Q4_0", "Q4_K", "FP8 by block");

    @TempDir
    private static Path directory;
    private static Executor executor;
    private static final List<Measured> MEASURED = new ArrayList<>();
    private static final Map<Path, float[][]> ORIGINAL = new HashMap<>();

    @BeforeAll
    static void open() throws Exception {
        executor = Backend.CPU.open();
    }

    @AfterAll
    static void close() throws IOException {
        executor.close();
        ORIGINAL.clear();
        if (WRITE) {
            AccuracyTable.write(MEASURED);
        }
        MEASURED.clear();
    }

    static Stream<WeightForm> forms() {
        return WeightForm.all().stream();
    }

    /** For the trained models one form of each kind, unless the table is written. */
    static Stream<WeightForm> someForms() {
        return forms().filter(f -> WRITE || SOME.contains(f.name()));
    }

    @ParameterizedTest
    @MethodSource("someForms")
    void stories(WeightForm form, TestReporter reporter) throws Exception {
        check(form, Subject.stories(EXTENT), reporter);
    }

    @ParameterizedTest
    @MethodSource("someForms")
    void demo(WeightForm form, TestReporter reporter) throws Exception {
        check(form, Subject.demo(EXTENT), reporter);
    }

    @ParameterizedTest
    @MethodSource("forms")
    void wide(WeightForm form, TestReporter reporter) throws Exception {
        check(form, Subject.wide(directory, EXTENT), reporter);
    }

    private static void check(WeightForm form, Subject subject, TestReporter reporter) throws Exception {
        WeightForm.Written written = form.packed().write(subject, directory);
        Measured m;
        try (OpenModel model = OpenModel.open(written.path(), Families.registry())) {
            float[][] expected = Run.oracle(model, subject.sequences());
            Divergence computed = null;
            for (int atMost : CUTS) {
                List<int[]> read = atMost == 1 ? subject.sequences().subList(0, 1) : subject.sequences();
                float[][] actual = Run.backend(model, read, atMost, executor);
                Divergence d = Divergence.of(Arrays.copyOf(expected, actual.length), actual);
                computed = computed == null ? d : computed.and(d);
            }
            m = new Measured(form.name(), subject.name(), written.shares(), computed, Divergence.of(original(written.from(), subject), expected));
        }
        reporter.publishEntry(form + " " + subject, m.computed().toString());
        MEASURED.add(m);
        assertEquals(List.of(), m.faults());
    }

    private static float[][] original(Path from, Subject subject) throws Exception {
        float[][] known = ORIGINAL.get(from);
        if (known == null) {
            try (OpenModel model = OpenModel.open(from, Families.registry())) {
                known = Run.oracle(model, subject.sequences());
            }
            ORIGINAL.put(from, known);
        }
        return known;
    }
}
