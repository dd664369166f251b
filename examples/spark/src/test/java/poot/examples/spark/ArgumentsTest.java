package poot.examples.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
    @Test
    void whatIsNotGivenHasADefault() {
        Arguments a = Arguments.parse(List.of("in", "out", "--rows", "5", "--model", "m.gguf"));
        assertEquals(new Arguments("in", "out", 0, Settings.DEFAULT.withRows(5).withModel("m.gguf").withInFlight(10)), a);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rows 0", "--rows many", "--rows", "--colour red",
        "--partitions -1", "--capacity 99999999", "--in-flight -2"})
    void whatIsWrongIsNamed(String more) {
        List<String> args = new ArrayList<>(List.of("in", "out"));
        args.addAll(List.of(more.split(" ")));
        String said = assertThrows(IllegalArgumentException.class, () -> Arguments.parse(args)).getMessage();
        assertTrue(said.contains(more.split(" ")[0]), said);
    }

    @Test
    void inputAndOutputAreNeeded() {
        assertThrows(IllegalArgumentException.class, () -> Arguments.parse(List.of("in")));
        assertThrows(IllegalArgumentException.class, () -> Arguments.parse(List.of("--rows", "2")));
    }
}
