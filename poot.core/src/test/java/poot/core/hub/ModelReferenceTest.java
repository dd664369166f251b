package poot.core.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelReferenceTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "hf.co/Qwen/Qwen3-0.6B|Qwen/Qwen3-0.6B|-|-",
        "hf.co/Qwen/Qwen3-0.6B/|Qwen/Qwen3-0.6B|-|-",
        "HF.co/a/b:Q4_K_M|a/b|-|Q4_K_M",
        "huggingface.co/a/b:x/y-00001-of-00002.gguf|a/b|-|x/y-00001-of-00002.gguf",
        "https://huggingface.co/a/b|a/b|-|-",
        "https://huggingface.co/a/b/|a/b|-|-",
        "https://www.huggingface.co/a/b?library=x#y|a/b|-|-",
        "http://hf.co/a/b:Q8_0|a/b|-|Q8_0",
        "hf.co/a/b@v1.0|a/b|v1.0|-",
        "hf.co/a/b@refs/pr/3:Q8_0|a/b|refs/pr/3|Q8_0",
        "hf.co/a/b:Q8_0@dev|a/b|dev|Q8_0",
        "hf.co/a/b@dev:at@home.gguf|a/b|dev|at@home.gguf",
        "hf.co/a/b.c_d-e:m.gguf|a/b.c_d-e|-|m.gguf",
        "https://huggingface.co/a/b/tree/dev|a/b|dev|-",
        "https://huggingface.co/a/b/blob/main/sub/my%20model.gguf|a/b|main|sub/my model.gguf",
        "https://huggingface.co/a/b/resolve/main/m.gguf?download=true|a/b|main|m.gguf"})
    void aRepositoryIsUnderstood(String text, String repository, String revision, String choice) throws HubException {
        ModelReference.OnHub hub = (ModelReference.OnHub) ModelReference.parse(text);
        assertEquals(repository, hub.repository());
        assertEquals(Optional.ofNullable(revision), hub.revision());
        assertEquals(Optional.ofNullable(choice), hub.choice());
        assertEquals(hub, ModelReference.parse(hub.toString()), "its text is read back");
    }

    @ParameterizedTest
    @ValueSource(strings = {"model.gguf", "/a/b", "./hf.co/a/b", "../x", "a/b", "hf.com/a/b", "hf.co.uk/a/b", "C:x.gguf", "hf/a:b"})
    void anythingElseIsAPath(String text) throws HubException {
        assertEquals(new ModelReference.Local(Path.of(text)), ModelReference.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "hf.co", "hf.co/", "hf.co/gpt2", "hf.co//b", "hf.co/a/", "hf.co/a/b/c", "hf.co/a/b:", "hf.co/a/b@",
        "hf.co/a/b@:x", "hf.co/../b", "hf.co/a/..", "hf.co/a/b--c", "hf.co/-a/b", "hf.co/a/.b", "hf.co/a/b@../x", "hf.co/a/b@-x",
        "hf.co/a/b@x//y", "hf.co/a/b:../../x.gguf", "hf.co/a/b:/x.gguf", "hf.co/a/b:a\\b.gguf", "hf.co/a/b:c:d", "hf.co/a b/c",
        "hf.co/a/b:nul", "hf.co/a/b\n", "hf.co/a\u0000/b", "https://example.com/a/b", "https://hf.co/datasets/a/b", "https://hf.co/a/b/%2e%2e/c",
        "https://hf.co/%2e%2e/b", "https://hf.co/a/b/blob/main", "https://hf.co/a/b/tree/../x", "https://hf.co/%zz/b", "hf.co/\ud83d\ude00/b"})
    void whatIsNoneIsRefusedWithTheFormToWrite(String text) {
        HubException e = assertThrows(HubException.class, () -> ModelReference.parse(text));
        assertTrue(e.fault() instanceof HubFault.BadReference && e.getMessage().contains("hf.co/OWNER/REPO"), e.getMessage());
        assertTrue(e.getMessage().chars().noneMatch(Character::isISOControl), e.getMessage());
    }

    @Test
    void aLongTextIsRefused() {
        assertThrows(HubException.class, () -> ModelReference.parse("hf.co/a/" + "b".repeat(5_000_000)));
        assertThrows(HubException.class, () -> ModelReference.parse("hf.co/a/" + "b".repeat(97)));
    }

    @Test
    void aCommitIsPinned() throws HubException {
        assertTrue(((ModelReference.OnHub) ModelReference.parse("hf.co/a/b@" + "0a".repeat(20))).pinned());
        assertEquals("main", ((ModelReference.OnHub) ModelReference.parse("hf.co/a/b")).revisionOrMain());
    }
}
