package poot.core.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HubOptionsTest {
    @TempDir
    private Path home;

    private HubOptions from(String... pairs) throws HubException {
        return HubOptions.from(pairs.length == 0 ? Map.of() : pairs.length == 2 ? Map.of(pairs[0], pairs[1])
                : Map.of(pairs[0], pairs[1], pairs[2], pairs[3]), home);
    }

    @Test
    void withoutAnEnvironmentThereAreDefaults() throws Exception {
        HubOptions o = from();
        assertEquals("https://huggingface.co", o.endpoint().toString());
        assertEquals(home.resolve(".cache/poot"), o.cache());
        assertEquals(Optional.of(home.resolve(".cache/huggingface/hub")), o.hubCache());
        assertEquals(Optional.empty(), o.token());
        assertFalse(o.offline());
    }

    @Test
    void theEnvironmentDecides() throws Exception {
        assertEquals("http://h:1/x", from("HF_ENDPOINT", "http://h:1/x//").endpoint().toString());
        assertEquals(home.resolve("c"), from("POOT_CACHE", home.resolve("c").toString()).cache());
        assertEquals(home.resolve("x/poot"), from("XDG_CACHE_HOME", home.resolve("x").toString()).cache());
        assertTrue(from("POOT_OFFLINE", "1").offline() && from("HF_HUB_OFFLINE", "True").offline());
        assertFalse(from("POOT_OFFLINE", "0").offline());
        assertEquals(Optional.of("hf_x"), from("HF_TOKEN", " hf_x\n").token());
    }

    @Test
    void theTokenIsReadFromTheHubsFileAndNeverShown() throws Exception {
        Path file = Files.createDirectories(home.resolve(".cache/huggingface")).resolve("token");
        Files.writeString(file, "hf_file\n");
        assertEquals(Optional.of("hf_file"), from().token());
        assertEquals(Optional.of("hf_env"), from("HF_TOKEN", "hf_env").token());
        Files.writeString(home.resolve("other"), "hf_other");
        assertEquals(Optional.of("hf_other"), from("HF_TOKEN_PATH", home.resolve("other").toString()).token());
        assertFalse(from().toString().contains("hf_file"));
        Files.writeString(file, "two words");
        HubException e = assertThrows(HubException.class, this::from);
        assertTrue(e.getMessage().contains(file.toString()) && !e.getMessage().contains("two words"), e.getMessage());
    }

    @Test
    void proxiesAreThoseOfTheEnvironment() throws Exception {
        HubProxies p = from("https_proxy", "http://proxy:3128/", "NO_PROXY", "a.example, .b.example,*.c.example:443").proxies();
        ProxySelector selector = p.selector();
        for (String host : List.of("huggingface.co", "ba.example", "x.aa.example")) {
            assertEquals(Proxy.Type.HTTP, selector.select(URI.create("https://" + host)).getFirst().type(), host);
        }
        for (String host : List.of("a.example", "x.a.example", "B.example", "c.example", "localhost:1", "127.0.0.1", "[::1]")) {
            assertEquals(List.of(Proxy.NO_PROXY), selector.select(URI.create("https://" + host)), host);
        }
        assertEquals(List.of(Proxy.NO_PROXY), selector.select(URI.create("http://huggingface.co")));
        assertEquals(List.of(Proxy.NO_PROXY), from("HTTPS_PROXY", "proxy", "no_proxy", "*").proxies().selector().select(URI.create("https://h")));
    }

    @ParameterizedTest
    @CsvSource({"HTTPS_PROXY,socks5://h:1", "HTTPS_PROXY,http://user:pw@h:1", "HTTP_PROXY,::", "HF_ENDPOINT,ftp://h", "HF_ENDPOINT,huggingface.co", "HF_ENDPOINT,https://user:pw@h", "HF_ENDPOINT,https://h/?q", "HF_ENDPOINT,::",
        "POOT_OFFLINE,maybe", "HF_HUB_OFFLINE,2"})
    void aSettingThatCannotBeUsedIsNamed(String name, String value) {
        HubException e = assertThrows(HubException.class, () -> from(name, value));
        assertTrue(e.fault() instanceof HubFault.BadSetting && e.getMessage().startsWith(name), e.getMessage());
    }
}
