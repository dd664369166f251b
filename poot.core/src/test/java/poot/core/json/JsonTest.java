package poot.core.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.api.model.CheckpointException;

class JsonTest {
    private static final Path FILE = Path.of("a.json");

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Object read(String text) throws CheckpointException {
        return Json.value(FILE, bytes(text), JsonLimits.CONFIG);
    }

    @Test
    void readsEveryKindOfValue() throws CheckpointException {
        assertEquals(Arrays.asList(1L, -2L, 1.5, 1e300, true, false, null, "\u00e9\uD83D\uDE00", List.of(), Map.of(), Map.of("a", List.of(0L))),
                read("[1, -2, 1.5, 1e300, true, false, null, \"\u00e9\\ud83d\\ude00\", [], {}, {\"a\": [0]}]"));
        assertEquals(Long.MAX_VALUE, read("9223372036854775807"));
        assertEquals(9.223372036854775808e18, read("9223372036854775808"));
        assertEquals(List.of(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN), read("[Infinity, -Infinity, NaN]"));
    }

    @Test
    void keepsOrderAndIsUnmodifiable() throws CheckpointException {
        Map<String, Object> tree = Json.asObject(FILE, read("{\"b\": 1, \"a\": 2, \"c\": null}"));
        assertEquals(List.of("b", "a", "c"), new ArrayList<>(tree.keySet()));
        assertThrows(UnsupportedOperationException.class, () -> tree.put("d", 1L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "[1", "{\"a\": 1", "{\"a\": 1, \"a\": 2}", "{\"x\": {\"a\": 1, \"a\": 1}}", "1 2",
        "[1,]", "{\"a\"}", "{a: 1}", "'a'", "[01]", "\"a\nb\"", "// c\n1", "\u0000", "nul", "[1}", "\uFEFF{}"})
    void refusesWhatIsNotJson(String text) {
        CheckpointException e = assertThrows(CheckpointException.class, () -> read(text));
        assertTrue(e.getMessage().startsWith("a.json: "), e.getMessage());
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        for (byte[] bad : List.of(new byte[] {'"', (byte) 0xC0, (byte) 0x80, '"'}, new byte[] {'"', (byte) 0xFF, '"'},
                new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'})) {
            CheckpointException e = assertThrows(CheckpointException.class,
                    () -> Json.value(FILE, new ByteArrayInputStream(bad), JsonLimits.CONFIG));
            assertTrue(e.getMessage().contains("UTF-8"), e.getMessage());
        }
    }

    @Test
    void holdsToItsLimits() throws CheckpointException {
        String deep = "[".repeat(64) + "]".repeat(64);
        read(deep);
        assertThrows(CheckpointException.class, () -> read("[" + deep + "]"));
        JsonLimits small = new JsonLimits(1 << 20, 4, 10);
        assertThrows(CheckpointException.class, () -> Json.value(FILE, bytes("[1,2,3,4,5,6,7,8,9,10]"), small));
        assertThrows(CheckpointException.class, () -> read("1".repeat(600)));
        JsonLimits short4 = new JsonLimits(40_000, 4, 1000);
        assertThrows(CheckpointException.class, () -> Json.value(FILE, bytes(" ".repeat(60_000) + "1"), short4));
    }

    @Test
    void streamsEntriesWithRepeats() throws CheckpointException {
        List<String> seen = new ArrayList<>();
        Json.entries(FILE, bytes("{\"a\": [1], \"a\": 2}"), JsonLimits.CONFIG, 2, (k, v) -> seen.add(k + v));
        assertEquals(List.of("a[1]", "a2"), seen);
        assertThrows(CheckpointException.class,
                () -> Json.entries(FILE, bytes("{\"a\": [1, 2]}"), JsonLimits.CONFIG, 2, (k, v) -> seen.add(k)));
    }

    @Test
    void textIsReadBack() throws CheckpointException {
        Object tree = read("{\"a\": [1, 2.5, null, true, \"q\\\"\\n\"], \"b\": {}}");
        assertEquals(tree, read(Json.text(tree)));
    }
}
