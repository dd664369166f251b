package poot.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import poot.api.model.CheckpointException;
import poot.api.model.LoadException;
import poot.api.model.RegistryException;
import poot.core.driver.LoadOptions;
import poot.core.driver.LoadOptions.Text;
import poot.core.driver.ModelHandle;
import poot.families.Families;
import poot.golden.SharedData;

/** What loading refuses, and in which order it looks. */
class LoadTest {
    @TempDir
    private Path directory;

    private void copy(String from, String... names) throws IOException {
        for (String name : names) {
            Files.copy(SharedData.require(from).resolve(name), directory.resolve(name));
        }
    }

    private LoadException refused(Text text) {
        return assertThrows(LoadException.class, () -> ModelHandle.load(directory, Families.registry(), new LoadOptions(text)));
    }

    @Test
    void theFamilyIsResolvedBeforeAnyWeightIsRead() throws Exception {
        Files.writeString(directory.resolve("config.json"), "{\"model_type\": \"nobody-knows\"}");
        Files.write(directory.resolve("model.safetensors"), new byte[] {1, 2, 3});
        assertInstanceOf(RegistryException.class, refused(Text.REQUIRED));
    }

    @Test
    void aCheckpointWithoutATokenizerIsRefusedUnlessTextIsOptional() throws Exception {
        copy("models/poot-tiny", "config.json", "model.safetensors");
        CheckpointException e = assertInstanceOf(CheckpointException.class, refused(Text.REQUIRED));
        assertInstanceOf(CheckpointException.Absent.class, e.fault());
        for (Text text : List.of(Text.IF_PRESENT, Text.NONE)) {
            try (ModelHandle handle = ModelHandle.load(directory, Families.registry(), new LoadOptions(text))) {
                assertTrue(handle.text().isEmpty());
            }
        }
    }

    @Test
    void anAddedTokenMayLieBeyondTheVocabulary() throws Exception {
        copy("models/poot-tiny", "config.json", "model.safetensors");
        String tokenizer = Files.readString(SharedData.require("models/poot-tiny").resolve("tokenizer.json"));
        String token = "{\"id\": 60000, \"content\": \"<image>\", \"single_word\": false, \"lstrip\": false, "
                + "\"rstrip\": false, \"normalized\": false, \"special\": true}, ";
        Files.writeString(directory.resolve("tokenizer.json"),
                tokenizer.replaceFirst("(\"added_tokens\"\\s*:\\s*\\[)", "$1" + token));
        try (ModelHandle handle = ModelHandle.load(directory, Families.registry(), LoadOptions.DEFAULT)) {
            assertTrue(handle.model().config().vocabulary() < 60000);
            assertEquals(60000, handle.text().orElseThrow().id("<image>").orElseThrow());
        }
    }

    @Test
    void aTokenizerOfAnotherModelIsRefused() throws Exception {
        copy("models/stories260K", "config.json", "model.safetensors");
        copy("models/poot-tiny", "tokenizer.json");
        CheckpointException e = assertInstanceOf(CheckpointException.class, refused(Text.REQUIRED));
        assertEquals("tokenizer", assertInstanceOf(CheckpointException.Malformed.class, e.fault()).where());
    }
}
