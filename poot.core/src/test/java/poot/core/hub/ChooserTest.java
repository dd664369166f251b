package poot.core.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import poot.core.hub.Chooser.Chosen;
import poot.core.hub.ModelReference.OnHub;

class ChooserTest {
    private static final Digest DIGEST = new Digest(Digest.Kind.GIT, "a".repeat(40));

    private static Chosen choose(String choice, String... paths) throws HubException, IOException {
        RepoTree tree = RepoTree.of("c".repeat(40), Stream.of(paths).map(p -> new RepoFile(p, 1000, DIGEST)).toList());
        return Chooser.choose((OnHub) ModelReference.parse("hf.co/a/b" + (choice.isEmpty() ? "" : ":" + choice)), tree);
    }

    private static String id(String choice, String... paths) throws HubException, IOException {
        return choose(choice, paths).id();
    }

    private static final String[] QUANTS = {"m-Q2_K.gguf", "m-Q4_K_M.gguf", "m-Q4_K_S.gguf", "m-IQ4_XS.gguf", "m-UD-Q4_K_XL.gguf",
        "m.f16.gguf", "BF16/m-BF16-00001-of-00002.gguf", "BF16/m-BF16-00002-of-00002.gguf", "mmproj-m-BF16.gguf", "m-imatrix.gguf",
        "Q8_0/m.gguf"};

    @ParameterizedTest
    @CsvSource({"Q2_K,m-Q2_K.gguf", "q2_k,m-Q2_K.gguf", "Q4_K_M,m-Q4_K_M.gguf", "IQ4_XS,m-IQ4_XS.gguf", "UD-Q4_K_XL,m-UD-Q4_K_XL.gguf",
        "q4_k_xl,m-UD-Q4_K_XL.gguf", "F16,m.f16.gguf", "bf16,BF16/m-BF16-00001-of-00002.gguf", "Q8_0,Q8_0/m.gguf",
        "mmproj-m-BF16.gguf,mmproj-m-BF16.gguf", "BF16/m-BF16-00002-of-00002.gguf,BF16/m-BF16-00001-of-00002.gguf"})
    void aQuantizationIsFoundByNameOrFolder(String choice, String id) throws Exception {
        assertEquals(id, id(choice, QUANTS));
    }

    @Test
    void withoutAChoiceTheUsualOneIsMeant() throws Exception {
        assertEquals("m-Q4_K_M.gguf", id("", QUANTS));
        assertEquals("x.gguf", id("", "x.gguf", "mmproj-x.gguf", "README.md"));
        assertEquals("safetensors", id("", "config.json", "model.safetensors", "x-Q4_K_M.gguf"));
        assertEquals("x-Q4_K_M.gguf", id("Q4_K_M", "config.json", "model.safetensors", "x-Q4_K_M.gguf"));
        assertEquals("safetensors", id("model.safetensors", "config.json", "model.safetensors", "x.gguf"));
        assertEquals(2, ((Chosen.Gguf) choose("bf16", QUANTS)).parts().size());
    }

    @Test
    void whatIsNotClearIsRefusedWithWhatThereIs() {
        for (String choice : List.of("Q4_K", "4_K_M", "K_M", "0", "Q9", "README.md", "nothing.gguf", "main")) {
            HubException e = assertThrows(HubException.class, () -> choose(choice, QUANTS), choice);
            assertTrue(e.fault() instanceof HubFault.NoChoice && e.getMessage().contains("m-Q2_K.gguf (1.0 KB)"), e.getMessage());
            assertTrue(!e.getMessage().contains("mmproj"), e.getMessage());
        }
        HubException several = assertThrows(HubException.class, () -> choose("Q4_0", "a-Q4_0.gguf", "b-Q4_0.gguf"));
        assertEquals(List.of("a-Q4_0.gguf", "b-Q4_0.gguf"),
                ((HubFault.NoChoice) several.fault()).offers().stream().map(HubFault.Offer::choice).toList());
        assertThrows(HubException.class, () -> choose("", "a-Q8_0.gguf", "b-Q8_0.gguf"));
        assertThrows(HubException.class, () -> choose("Q4_0", "config.json", "model.safetensors"));
        assertThrows(HubException.class, () -> choose("", "model.safetensors"));
        assertThrows(HubException.class, () -> choose(""));
    }

    @Test
    void aListOfVeryManyIsShortened() {
        String[] many = Stream.iterate(0, i -> i + 1).limit(5000).map(i -> "m" + i + "-Q8_0.gguf").toArray(String[]::new);
        HubException e = assertThrows(HubException.class, () -> choose("", many));
        assertTrue(e.getMessage().length() < 4000 && e.getMessage().contains("and 4940 more"), e.getMessage());
    }
}
