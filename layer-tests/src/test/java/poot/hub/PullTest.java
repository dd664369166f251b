package poot.hub;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.core.hub.CachedModel;
import poot.core.hub.HubException;
import poot.core.hub.HubFault;
import poot.core.hub.HubOptions;
import poot.core.hub.HubProxies;
import poot.core.hub.ModelReference;
import poot.core.hub.Models;
import poot.core.hub.PullListener;
import poot.core.hub.PullProgress;

/** What a pull fetches, where it puts it, and what it tells; nothing goes wrong here. */
class PullTest extends HubTest {
    @Test
    void aFileComesInRangesThroughARedirectAndTheTokenStaysWithTheHub() throws Exception {
        byte[] model = bytes(20 * SEGMENT + 77, 1);
        hub.put(REPO, "m-Q4_K_M.gguf", model).put(REPO, "README.md", bytes(100, 2)).token = "hf_secret";
        hub.pause = 5;
        HubOptions with = new HubOptions(hub.endpoint(), Optional.of("hf_secret"), false, cache(), Optional.empty(), HubProxies.JAVA, 4, SEGMENT,
                options().timeout(), options().backoff(), 4);
        List<PullProgress> told = Collections.synchronizedList(new ArrayList<>());
        CachedModel pulled = Models.of(with).pull(ref("hf.co/owner/repo:q4_k_m"), told::add);

        assertArrayEquals(model, Files.readAllBytes(pulled.path()));
        assertEquals("m-Q4_K_M.gguf", pulled.path().getFileName().toString());
        assertEquals("hf.co/owner/repo:m-Q4_K_M.gguf", pulled.name());
        assertEquals(model.length, pulled.bytes());
        assertEquals(model.length, hub.sent.get(), "every byte once");
        // The stand-in ends an answer a little after its reader has all of it, and may have begun the next.
        assertTrue(hub.mostOpen.get() > 1 && hub.mostOpen.get() <= 8, hub.mostOpen + " transfers at once");
        for (StandIn.Asked a : hub.asked) {
            assertEquals(a.content() ? "" : "Bearer hf_secret", a.authorization(), a.toString());
        }
        Set<String> ranges = new HashSet<>();
        hub.asked.stream().filter(StandIn.Asked::content).forEach(a -> assertTrue(ranges.add(a.range()), a.range()));
        assertEquals(21, ranges.size());
        assertFalse(with.toString().contains("secret"));
        PullProgress last = told.getLast();
        assertEquals(PullProgress.Phase.DONE, last.phase());
        assertEquals(List.of((long) model.length, (long) model.length, 1L, 1L),
                List.of(last.done(), last.total(), (long) last.filesDone(), (long) last.files()));
    }

    @Test
    void whatIsCachedIsUsedWithoutAsking() throws Exception {
        hub.put(REPO, "m.gguf", bytes(1000, 1));
        Path first = models().path(ModelReference.parse("hf.co/owner/repo"), PullListener.NONE);
        int asked = hub.asked.size();
        assertEquals(first, models().path(ModelReference.parse("https://huggingface.co/owner/repo"), PullListener.NONE));
        assertEquals(first, models().path(ModelReference.parse("hf.co/owner/repo@main:m.gguf"), PullListener.NONE));
        assertEquals(first, models().path(ModelReference.parse("hf.co/owner/repo@" + StandIn.COMMIT), PullListener.NONE));
        assertEquals(asked, hub.asked.size());
        assertEquals(Path.of("some/where"), models().path(ModelReference.parse("some/where"), PullListener.NONE));
    }

    @Test
    void offlineTheCacheIsAllThereIs() throws Exception {
        hub.put(REPO, "m-Q8_0.gguf", bytes(1000, 1)).put(REPO, "m-Q4_0.gguf", bytes(1000, 2));
        Path there = pull("hf.co/owner/repo:Q8_0").path();
        hub.close();
        Models offline = Models.of(options().withOffline(true));
        assertEquals(there, offline.path(ref("hf.co/owner/repo:q8_0"), PullListener.NONE));
        HubException e = assertThrows(HubException.class, () -> offline.path(ref("hf.co/owner/repo:Q4_0"), PullListener.NONE));
        assertEquals(new HubFault.Offline("hf.co/owner/repo:Q4_0", List.of("hf.co/owner/repo@" + StandIn.COMMIT + ":m-Q8_0.gguf")), e.fault());
        e = assertThrows(HubException.class, () -> offline.path(ref("hf.co/owner/other"), PullListener.NONE));
        assertTrue(e.getMessage().contains("--offline") && e.getMessage().contains("hf.co/owner/other"), e.getMessage());
    }

    @Test
    void aDirectoryIsWhatItsLoaderReadsAndNoMore() throws Exception {
        String index = "{\"metadata\":{},\"weight_map\":{\"a\":\"model-00001-of-00002.safetensors\",\"b\":\"model-00002-of-00002.safetensors\"}}";
        hub.page = 4;
        for (String needless : List.of("README.md", "pytorch_model.bin", "model.onnx", "consolidated.safetensors", "LICENSE",
                "model-00003-of-00002.safetensors", "original/params.json", "images/a b%c.png", ".gitattributes", "flax_model.msgpack")) {
            hub.put(REPO, needless, bytes(500, needless.hashCode()));
        }
        List<String> needed = List.of("1_Pooling/config.json", "chat_template.jinja", "config.json", "generation_config.json",
                "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json",
                "modules.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json");
        for (String n : needed) {
            hub.put(REPO, n, n.endsWith("index.json") ? index.getBytes() : bytes(3000, n.hashCode()));
        }
        CachedModel pulled = pull("hf.co/owner/repo");
        assertEquals(needed, files(pulled.path()));
        assertEquals(needed, pulled.files().stream().map(CachedModel.Stored::path).sorted().toList());
        assertEquals(needed.stream().filter(n -> n.endsWith(".safetensors")).count(), hub.contentRequests());
        for (String n : needed) {
            assertArrayEquals(n.endsWith("index.json") ? index.getBytes() : bytes(3000, n.hashCode()),
                    Files.readAllBytes(pulled.path().resolve(n)), n);
        }
    }

    @Test
    void aSplitSetComesWholeAndSubfoldersStay() throws Exception {
        for (int i = 1; i <= 3; i++) {
            hub.put(REPO, "Q6_K/m-Q6_K-0000" + i + "-of-00003.gguf", bytes(5000 + i, i));
        }
        hub.put(REPO, "mmproj-F16.gguf", bytes(100, 9)).put(REPO, "m-Q2_K.gguf", bytes(100, 10));
        CachedModel pulled = pull("hf.co/owner/repo:Q6_K");
        assertEquals(3, pulled.files().size());
        assertTrue(pulled.path().endsWith("Q6_K/m-Q6_K-00001-of-00003.gguf"), pulled.path().toString());
        assertArrayEquals(bytes(5003, 3), Files.readAllBytes(pulled.path().resolveSibling("m-Q6_K-00003-of-00003.gguf")));
        assertEquals(pulled.path(), pull("hf.co/owner/repo:Q6_K/m-Q6_K-00002-of-00003.gguf").path());
    }

    @Test
    void aPullFollowsItsRevisionAndSharesWhatStayed() throws Exception {
        String later = "f".repeat(40);
        hub.put(REPO, "config.json", bytes(100, 1)).put(REPO, "model.safetensors", bytes(9000, 2));
        hub.put(REPO, later, "config.json", bytes(110, 3)).put(REPO, later, "model.safetensors", bytes(9000, 2));
        CachedModel before = pull("hf.co/owner/repo");
        hub.head(REPO, later);
        assertEquals(before.path(), models().path(ref("hf.co/owner/repo"), PullListener.NONE));
        long sent = hub.sent.get();
        CachedModel after = pull("hf.co/owner/repo");
        assertEquals(later, after.commit());
        assertNotEquals(before.path(), after.path());
        assertEquals(110, hub.sent.get() - sent, "the weights were there");
        assertEquals(after.path(), models().path(ref("hf.co/owner/repo"), PullListener.NONE));
        assertEquals(2, models().cache().list().size());

        assertEquals(100, models().cache().remove(ref("hf.co/owner/repo@" + StandIn.COMMIT)).freed());
        assertArrayEquals(bytes(9000, 2), Files.readAllBytes(after.path().resolve("model.safetensors")));
        assertEquals(9110, models().cache().remove(ref("hf.co/owner/repo")).freed());
        assertEquals(List.of(), files(cache().resolve("models")));
        assertEquals(List.of(), models().cache().list());
    }

    @Test
    void aRemovalFreesWhatNoOtherModelHolds() throws Exception {
        hub.put(REPO, "m-Q8_0.gguf", bytes(1000, 1)).put(REPO, "m-Q4_0.gguf", bytes(700, 2)).put(REPO, "copy-Q4_1.gguf", bytes(700, 2));
        pull("hf.co/owner/repo:Q8_0");
        pull("hf.co/owner/repo:Q4_0");
        CachedModel copy = pull("hf.co/owner/repo:Q4_1");
        var removal = models().cache().remove(ref("hf.co/owner/repo:q4_0"));
        assertEquals(List.of(0L, 700L, 1L), List.of(removal.freed(), removal.kept(), (long) removal.models().size()));
        assertArrayEquals(bytes(700, 2), Files.readAllBytes(copy.path()));
        HubException e = assertThrows(HubException.class, () -> models().cache().remove(ref("hf.co/owner/repo:Q4_0")));
        assertTrue(e.fault() instanceof HubFault.NotCached && e.getMessage().contains("m-Q8_0.gguf"), e.getMessage());
        assertEquals(1700, models().cache().remove(ref("hf.co/owner/repo")).freed());
        assertThrows(HubException.class, () -> models().cache().remove(ref("hf.co/owner/repo")));
    }

    @Test
    void theCacheOfTheHubsOwnToolsIsUsed() throws Exception {
        byte[] right = bytes(9000, 1);
        byte[] wrong = bytes(8000, 2);
        hub.put(REPO, "m-Q8_0.gguf", right).put(REPO, "m-Q4_0.gguf", wrong);
        Path blobs = Files.createDirectories(folder.resolve("hub/models--owner--repo/blobs"));
        Files.write(blobs.resolve(StandIn.sha256(right)), right);
        Files.write(blobs.resolve(StandIn.sha256(wrong)), bytes(8000, 3));
        HubOptions with = new HubOptions(hub.endpoint(), Optional.empty(), false, cache(), Optional.of(folder.resolve("hub")), HubProxies.JAVA, 4, SEGMENT,
                options().timeout(), options().backoff(), 4);
        assertArrayEquals(right, Files.readAllBytes(Models.of(with).pull(ref("hf.co/owner/repo:Q8_0"), PullListener.NONE).path()));
        assertEquals(0, hub.sent.get());
        assertArrayEquals(wrong, Files.readAllBytes(Models.of(with).pull(ref("hf.co/owner/repo:Q4_0"), PullListener.NONE).path()));
        assertEquals(8000, hub.sent.get(), "what lay there did not have its digest");
    }

    @Test
    void theHubIsAskedThroughAProxy() throws Exception {
        hub.put(REPO, "m.gguf", bytes(1000, 1));
        InetSocketAddress proxy = InetSocketAddress.createUnresolved("localhost", hub.endpoint().getPort());
        HubOptions with = new HubOptions(URI.create("http://hub.invalid"), Optional.empty(), false, cache(), Optional.empty(),
                new HubProxies(Optional.of(proxy), Optional.empty(), List.of()), 4, SEGMENT, options().timeout(), options().backoff(), 4);
        assertArrayEquals(bytes(1000, 1), Files.readAllBytes(Models.of(with).pull(ref("hf.co/owner/repo"), PullListener.NONE).path()));
        assertTrue(hub.asked.getFirst().path().startsWith("http://hub.invalid/api/"), hub.asked.toString());
    }

    @Test
    void aDamagedCacheIsMended() throws Exception {
        hub.put(REPO, "m.gguf", bytes(1000, 1));
        CachedModel pulled = pull("hf.co/owner/repo");
        Files.write(pulled.path().toRealPath(), new byte[10]);
        Path mended = models().path(ref("hf.co/owner/repo"), PullListener.NONE);
        assertArrayEquals(bytes(1000, 1), Files.readAllBytes(mended));
        Files.writeString(pulled.path().getParent().resolveSibling("model.json"), "{}");
        HubException e = assertThrows(HubException.class, () -> models().path(ref("hf.co/owner/repo"), PullListener.NONE));
        assertTrue(e.fault() instanceof HubFault.CacheFile && e.getMessage().contains("model.json"), e.getMessage());
    }
}
