package poot.serve.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @Test
    void aFlagGoesBeforeTheEnvironmentThatBeforeTheFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("poot.properties"), "port = 1\nrate = 2\nmax-body = 3000\n");
        Settings s = Settings.of(Map.of("port", "7"), Map.of("POOT_SERVE_PORT", "8", "POOT_SERVE_RATE", "9", "HOME", "x"), Optional.of(file));
        assertEquals(7, s.count("port", 0, 100));
        assertEquals(9, s.count("rate", 0, 100));
        assertEquals(3000, s.count("max-body", 0, 5000));
        assertEquals(256, s.count("waiting", 0, 1000));
        assertTrue(s.lines().stream().anyMatch(l -> l.matches("max-body +3000 .*poot.properties")), s.lines().toString());
    }

    @Test
    void secretsAreNotShown() throws Exception {
        Settings s = Settings.of(Map.of("api-key", "hush, hush2"), Map.of("POOT_SERVE_TLS_KEYSTORE_PASSWORD", "hush"), Optional.empty());
        assertFalse(s.lines().toString().contains("hush"));
        ServerOptions o = ServerOptions.of(s);
        assertEquals(List.of("hush", "hush2"), o.access().keys());
        assertFalse(o.toString().contains("hush"));
    }

    @Test
    void aKeyThatIsNoneDoesNotOpenTheServer(@TempDir Path folder) throws Exception {
        Path empty = Files.writeString(folder.resolve("keys"), "\n# none yet\n");
        for (Map<String, String> flags : List.of(Map.of("api-key", ""), Map.of("api-key", " , "), Map.of("api-key-file", empty.toString()),
                Map.of("api-key", "a", "api-key-file", empty.toString()))) {
            Settings s = Settings.of(flags, Map.of(), Optional.empty());
            assertSays("api-key", assertThrows(SettingException.class, () -> ServerOptions.of(s)));
        }
        assertEquals(List.of(), ServerOptions.of(Settings.of(Map.of(), Map.of(), Optional.empty())).access().keys());
    }

    @Test
    void whatIsNoSettingIsRefused(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("poot.properties"), "prot = 1\n");
        assertSays("prot", assertThrows(SettingException.class, () -> Settings.of(Map.of(), Map.of(), Optional.of(file))));
        assertSays("POOT_SERVE_PROT", assertThrows(SettingException.class,
                () -> Settings.of(Map.of(), Map.of("POOT_SERVE_PROT", "1"), Optional.empty())));
        Settings s = Settings.of(Map.of("port", "http", "kv", "f8", "tls-key", "a", "prefix-cache", "maybe"), Map.of(), Optional.empty());
        assertSays("port", assertThrows(SettingException.class, () -> s.count("port", 0, 1)));
        assertSays("f32, f16, bf16 or q8_0", assertThrows(SettingException.class, () -> ModelSetup.of(Settings.of(Map.of("kv", "f8"), Map.of(), Optional.empty()))));
        assertSays("tls-certificate", assertThrows(SettingException.class,
                () -> ServerOptions.of(Settings.of(Map.of("tls-key", "a"), Map.of(), Optional.empty()))));
        assertSays("true or false", assertThrows(SettingException.class, () -> s.flag("prefix-cache")));
    }

    private static void assertSays(String part, SettingException e) {
        assertTrue(e.getMessage().contains(part), e.getMessage());
    }
}
