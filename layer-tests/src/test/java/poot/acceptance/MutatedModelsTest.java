package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import poot.api.model.LoadException;
import poot.core.driver.LoadOptions;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.golden.SharedData;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Small checkpoints with a changed configuration, from their files to a loaded model: each loads or is refused by a
 * typed error with a message; nothing else is thrown, and nothing large is allocated. Seeded, so a failure comes back.
 */
class MutatedModelsTest {
    private static final int TRIALS = 1500;
    private static final List<String> VALUES = List.of(
            "0", "1", "-1", "2", "3", "7", "2147483647", "4294967296", "9223372036854775807", "1e308", "-0.0", "0.5", "null",
            "true", "false", "\"\"", "\"x\"", "\"8\"", "[]", "[1]", "[[1]]", "{}", "{\"rope_type\": \"llama3\"}",
            "[0, 1, 1000000000]", "1e999", "\"gelu\"");

    private int loaded;
    private int refused;

    @Test
    void configurationsLoadOrAreRefused(@TempDir Path folder, TestReporter reporter) throws Exception {
        Random random = new Random(25);
        for (String name : List.of("golden/malformed/hf/valid", "golden/gemma2", "golden/phi3-long", "golden/bert-rank")) {
            Path source = SharedData.require(name);
            Path copy = Files.createDirectories(folder.resolve(source.getFileName()));
            copyFiles(source, copy);
            String config = Files.readString(source.resolve("config.json"));
            for (int trial = 0; trial < TRIALS / 4; trial++) {
                String changed = trial % 3 == 0 ? damaged(config, random) : mutated(config, random);
                Files.writeString(copy.resolve("config.json"), changed);
                attempt(copy, name + " trial " + trial + ": " + changed);
            }
        }
        report(reporter);
    }

    @Test
    void metadataLoadsOrIsRefused(@TempDir Path folder, TestReporter reporter) throws Exception {
        Random random = new Random(26);
        byte[] valid = Files.readAllBytes(SharedData.require("golden/malformed/gguf/valid.gguf"));
        for (int trial = 0; trial < TRIALS; trial++) {
            byte[] bytes = valid.clone();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                bytes[random.nextInt(bytes.length / 3)] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(3) - 1);
            }
            Path file = folder.resolve("mutated-" + trial + ".gguf");
            Files.write(file, bytes);
            attempt(file, "trial " + trial);
            Files.delete(file);
        }
        report(reporter);
    }

    private void attempt(Path checkpoint, String what) {
        try (ModelHandle handle = ModelHandle.load(checkpoint, Families.registry(), LoadOptions.DEFAULT)) {
            assertFalse(handle.weights().isEmpty(), what);
            loaded++;
        } catch (LoadException e) {
            assertFalse(e.getMessage().isBlank(), what);
            refused++;
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }

    private void report(TestReporter reporter) {
        reporter.publishEntry("loaded and refused", loaded + " and " + refused);
        assertTrue(loaded > 0 && refused > 0, "loaded " + loaded + ", refused " + refused);
    }

    /** One value replaced, dropped, or given to a key it does not belong to. */
    private static String mutated(String config, Random random) {
        ObjectNode root = (ObjectNode) JsonMapper.shared().readTree(config);
        for (int n = 1 + random.nextInt(2); n > 0; n--) {
            List<String> keys = List.copyOf(root.propertyNames());
            String key = keys.get(random.nextInt(keys.size()));
            switch (random.nextInt(4)) {
                case 0 -> root.remove(key);
                case 1 -> root.set(key, root.get(keys.get(random.nextInt(keys.size()))));
                default -> {
                    String value = VALUES.get(random.nextInt(VALUES.size()));
                    JsonNode node = value.equals("1e999") ? root.numberNode(Double.POSITIVE_INFINITY) : JsonMapper.shared().readTree(value);
                    root.set(key, node);
                }
            }
        }
        return root.toString();
    }

    /** A few characters changed, or the text cut. */
    private static String damaged(String config, Random random) {
        byte[] bytes = config.getBytes(StandardCharsets.UTF_8);
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            bytes[random.nextInt(bytes.length)] = (byte) (random.nextBoolean() ? '0' + random.nextInt(10) : random.nextInt(256));
        }
        int length = random.nextInt(8) == 0 ? random.nextInt(bytes.length) : bytes.length;
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path f : files.filter(Files::isRegularFile).filter(f -> !f.toString().endsWith(".gguf")
                    && !f.endsWith("config.json") && !f.getFileName().toString().startsWith("golden")).toList()) {
                Files.copy(f, to.resolve(f.getFileName()));
            }
        }
    }
}
