package poot.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import poot.core.hub.CachedModel;
import poot.core.hub.HubException;
import poot.core.hub.HubFault;
import poot.core.hub.HubOptions;
import poot.core.hub.HubProxies;
import poot.core.hub.ModelReference;
import poot.core.hub.ModelReference.OnHub;
import poot.core.hub.Models;
import poot.core.hub.PullListener;

/** A hub, a cache, and what the tests of pulling say with them. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
abstract class HubTest {
    static final String REPO = "owner/repo";
    static final int SEGMENT = 64 << 10;

    StandIn hub;

    @TempDir
    Path folder;

    @BeforeEach
    void open() throws IOException {
        hub = new StandIn();
    }

    @AfterEach
    void close() {
        hub.close();
    }

    Path cache() {
        return folder.resolve("cache");
    }

    HubOptions options() {
        return new HubOptions(hub.endpoint(), Optional.empty(), false, cache(), Optional.empty(), HubProxies.JAVA, 4, SEGMENT,
                Duration.ofSeconds(10), Duration.ofMillis(5), 4);
    }

    Models models() {
        return Models.of(options());
    }

    static OnHub ref(String text) throws HubException {
        return (OnHub) ModelReference.parse(text);
    }

    CachedModel pull(String text) throws HubException {
        return models().pull(ref(text), PullListener.NONE);
    }

    /** Pulls, and expects a refusal of that kind that names all of {@code named}. */
    <T extends HubFault> T refused(Class<T> kind, Models models, String text, String... named) throws HubException {
        OnHub reference = ref(text);
        HubException e = assertThrows(HubException.class, () -> models.pull(reference, PullListener.NONE));
        assertEquals(kind, e.fault().getClass(), e.getMessage());
        for (String n : named) {
            assertTrue(e.getMessage().contains(n), e.getMessage());
        }
        assertEquals(List.of(), models.cache().list());
        return kind.cast(e.fault());
    }

    static byte[] bytes(int n, long seed) {
        byte[] out = new byte[n];
        new Random(seed).nextBytes(out);
        return out;
    }

    /** The names of files anywhere under a folder, links included. */
    static List<String> files(Path under) throws IOException {
        if (!Files.exists(under)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(under)) {
            return all.filter(p -> !Files.isDirectory(p)).map(p -> under.relativize(p).toString()).sorted().toList();
        }
    }
}
