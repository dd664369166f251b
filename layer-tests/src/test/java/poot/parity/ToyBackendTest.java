package poot.parity;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.executor.Executor;
import poot.api.executor.ExecutorOptions;
import poot.families.Families;
import poot.fixtures.Fixture;
import poot.fixtures.Parity;
import poot.golden.OpenModel;
import poot.step.ExecutorSession;
import poot.step.OracleSession;
import toy.ToyProvider;

/** The toy backend, which the page about backends points to, is short and right. */
class ToyBackendTest {
    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma3", "bert-mean"})
    void itsStepsKeepEveryBit(String fixture, @TempDir Path directory) throws Exception {
        try (OpenModel m = OpenModel.open(new Fixture(fixture).write(directory), Families.registry());
                Executor executor = new ToyProvider().open(ExecutorOptions.DEFAULT)) {
            new Parity(m.model().config().vocabulary(), base -> new OracleSession(m.model(), m.weights(), base),
                    base -> new ExecutorSession(m.model(), m.weights(), base, executor), 0).check(m.model());
        }
    }

    @Test
    void itIsTwoHundredLinesAtMost() throws Exception {
        long lines = 0;
        try (Stream<Path> files = Files.list(Path.of("src/test/java/toy"))) {
            for (Path file : files.toList()) {
                lines += Files.readAllLines(file).stream().filter(l -> !l.isBlank()).count();
            }
        }
        assertTrue(lines <= 200, lines + " lines that are not blank");
    }
}
