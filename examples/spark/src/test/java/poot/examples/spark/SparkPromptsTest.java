package poot.examples.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job in Spark's local mode: two tasks at once in this JVM. */
class SparkPromptsTest {
    private static final int TOKENS = 24;

    @TempDir
    private Path folder;

    @Test
    void answersAreThoseOfTheDriverAlone() throws Exception {
        List<String> prompts = new ArrayList<>(Lines.PROMPTS);
        prompts.add(7, Lines.TOO_LONG);
        Path input = Files.write(folder.resolve("prompts.txt"), prompts);
        Path output = folder.resolve("answers");
        int before = EngineHolder.ofThisJvm().starts();

        SparkPrompts.main(new String[] {input.toString(), output.toString(), "--model", Alone.demoModel().toString(),
            "--tokens", "" + TOKENS, "--rows", "4", "--partitions", "4"});

        List<Path> parts = parts(output);
        assertTrue(parts.size() >= 4, () -> "partitions: " + parts);
        List<Map<String, Object>> answers = new ArrayList<>();
        for (Path part : parts) {
            Files.readAllLines(part).forEach(line -> answers.add(Lines.read(line)));
        }
        assertEquals(prompts, answers.stream().map(a -> a.get("prompt")).toList());
        Map<String, Object> refused = answers.remove(7);
        assertTrue(refused.get("error") instanceof String s && s.contains("512"), () -> "" + refused.get("error"));
        assertFalse(refused.containsKey("answer"));
        try (Alone alone = new Alone(Alone.demoModel())) {
            for (int i = 0; i < Lines.PROMPTS.size(); i++) {
                assertEquals(alone.answer(Lines.PROMPTS.get(i), TOKENS), answers.get(i).get("answer"), Lines.PROMPTS.get(i));
            }
        }
        assertEquals(before + 1, EngineHolder.ofThisJvm().starts(), "engines started for all partitions together");
    }

    @Test
    void jsonLinesKeepTheirFieldsAndTheModelMayBeASubmittedFile() {
        Path gguf = Alone.demoModel().resolve("poot-tiny-q8_0.gguf");
        Settings settings = Settings.DEFAULT.withModel(gguf.getFileName().toString()).withTokens(8).withJsonLines(true);
        List<Map<String, Object>> answers;
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("json lines"))) {
            spark.addFile(gguf.toString());
            answers = SparkPrompts.answers(spark.parallelize(List.of("{\"id\": 7, \"prompt\": \"Hello!\"}", "{\"id\": 8}", "  ",
                    "{\"id\": 9, \"prompt\": "), 2), settings).collect().stream().map(Lines::read).toList();
        }
        assertEquals(3, answers.size());
        assertEquals(7L, answers.get(0).get("id"));
        assertTrue(answers.get(0).get("answer") instanceof String s && !s.isEmpty(), () -> answers.get(0).toString());
        assertTrue(answers.get(1).get("error") instanceof String s && s.contains("prompt"), () -> answers.get(1).toString());
        assertEquals("{\"id\": 9, \"prompt\": ", answers.get(2).get("line"));
        assertTrue(answers.get(2).get("error") instanceof String, () -> answers.get(2).toString());
    }

    private static List<Path> parts(Path output) throws IOException {
        assertTrue(Files.exists(output.resolve("_SUCCESS")));
        try (Stream<Path> files = Files.list(output)) {
            return files.filter(f -> f.getFileName().toString().startsWith("part-")).sorted().toList();
        }
    }
}
