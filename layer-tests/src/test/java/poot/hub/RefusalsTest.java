package poot.hub;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import poot.core.hub.HubException;
import poot.core.hub.HubFault;
import poot.core.hub.HubOptions;
import poot.core.hub.HubProxies;
import poot.core.hub.Models;
import poot.core.hub.PullListener;

/** What a hub refuses, and what is refused of a hub: each a fault of its own that names the thing and the remedy. */
class RefusalsTest extends HubTest {
    private Models withToken(String token) {
        return Models.of(new HubOptions(hub.endpoint(), Optional.of(token), false, cache(), Optional.empty(), HubProxies.JAVA, 4, SEGMENT,
                Duration.ofSeconds(10), Duration.ofMillis(5), 4));
    }

    @Test
    void accessIsRefused() throws Exception {
        hub.put(REPO, "m.gguf", bytes(100, 1)).token = "hf_right";
        refused(HubFault.Gated.class, models(), "hf.co/owner/repo", "HF_TOKEN", "licence", hub.endpoint() + "/owner/repo");
        refused(HubFault.Gated.class, withToken("hf_wrong"), "hf.co/owner/repo", "account whose token");
        hub.onHub = e -> {
            StandIn.fail(e, 401, "RepoNotFound", "Invalid username or password.");
            return true;
        };
        refused(HubFault.NotAllowed.class, models(), "hf.co/owner/repo", "owner/repo", "HF_TOKEN", "does not exist");
        refused(HubFault.NotAllowed.class, withToken("hf_wrong"), "hf.co/owner/repo", "not valid");
        hub.onHub = e -> {
            StandIn.fail(e, 403, "", "no bell \u009b here");
            return true;
        };
        HubFault.Gated fault = refused(HubFault.Gated.class, models(), "hf.co/owner/repo", "no bell ? here");
        assertFalse(fault.message().chars().anyMatch(Character::isISOControl), fault.message());
        hub.onHub = e -> false;
        assertArrayEquals(bytes(100, 1), Files.readAllBytes(withToken("hf_right").pull(ref("hf.co/owner/repo"), PullListener.NONE).path()));
    }

    @Test
    void whatIsNotThereIsNamed() throws Exception {
        hub.put(REPO, "m-Q4_0.gguf", bytes(2_345_678, 1)).put(REPO, "m-Q8_0.gguf", bytes(100, 2));
        refused(HubFault.NoRepository.class, models(), "hf.co/owner/none", "owner/none", hub.endpoint().toString());
        refused(HubFault.NoRevision.class, models(), "hf.co/owner/repo@v9", "owner/repo", "v9");
        refused(HubFault.NoRevision.class, models(), "hf.co/owner/repo@" + "a".repeat(40), "aaaa");
        refused(HubFault.NoChoice.class, models(), "hf.co/owner/repo", "m-Q4_0.gguf (2.3 MB)", "m-Q8_0.gguf (100 bytes)", "Q4_K_M");
        refused(HubFault.NoChoice.class, models(), "hf.co/owner/repo:Q5_K", "hf.co/owner/repo:Q5_K", "m-Q8_0.gguf");
        refused(HubFault.NoChoice.class, models(), "hf.co/owner/repo:other.gguf", "other.gguf", "m-Q8_0.gguf");
        hub.put("owner/bins", "pytorch_model.bin", bytes(10, 1)).put("owner/bins", "config.json", bytes(10, 1));
        refused(HubFault.NoWeights.class, models(), "hf.co/owner/bins", "pytorch_model.bin cannot be read");
        hub.onHub = e -> {
            boolean file = !e.getRequestURI().getPath().startsWith("/api/");
            if (file) {
                StandIn.fail(e, 404, "EntryNotFound", "Entry not found");
            }
            return file;
        };
        refused(HubFault.NoFile.class, models(), "hf.co/owner/repo:Q8_0", "m-Q8_0.gguf");
    }

    @Test
    void shardsThatAreMissingAreNamed() throws Exception {
        hub.put(REPO, "m-00001-of-00003.gguf", bytes(10, 1)).put(REPO, "m-00003-of-00003.gguf", bytes(10, 1));
        refused(HubFault.NoFile.class, models(), "hf.co/owner/repo", "m-00002-of-00003.gguf");
        for (String shard : List.of("model-2.safetensors", "../../../../evil.safetensors", "/etc/evil.safetensors", "pytorch_model.bin")) {
            String repo = "owner/r" + shard.length();
            hub.put(repo, "config.json", bytes(10, 1)).put(repo, "pytorch_model.bin", bytes(10, 2))
                    .put(repo, "model.safetensors.index.json", ("{\"weight_map\":{\"a\":\"" + shard + "\"}}").getBytes());
            HubException e = assertThrows(HubException.class, () -> pull("hf.co/" + repo));
            assertTrue(e.fault() instanceof HubFault.NoFile || e.fault() instanceof HubFault.UnsafeName
                    || e.fault() instanceof HubFault.NoWeights, e.getMessage());
        }
        assertEquals(List.of(), models().cache().list());
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil-Q4_0.gguf", "../../../../../evil-Q4_0.gguf", "/evil-Q4_0.gguf", "a/../../evil-Q4_0.gguf",
        "a//evil-Q4_0.gguf", "./evil-Q4_0.gguf", "a\\..\\evil-Q4_0.gguf", "C:evil-Q4_0.gguf", "nul/evil-Q4_0.gguf",
        "ev\u0000il-Q4_0.gguf", "ev\u001b[2Jil-Q4_0.gguf", "ev\u202eil-Q4_0.gguf", "evil. /x-Q4_0.gguf"})
    void noNameLeadsOutOfTheCache(String name) throws Exception {
        hub.put(REPO, name, bytes(10, 1));
        refused(HubFault.UnsafeName.class, models(), "hf.co/owner/repo", "rename");
        HubFault.UnsafeName fault = refused(HubFault.UnsafeName.class, models(), "hf.co/owner/repo:q4_0");
        assertFalse(fault.message().chars().anyMatch(Character::isISOControl), fault.message());
        assertTrue(files(folder).stream().noneMatch(f -> f.contains("evil")), files(folder).toString());
        assertEquals(0, hub.contentRequests());
    }

    @Test
    void aNameOfAnySortThatIsNotNeededDoesNoHarm() throws Exception {
        hub.put(REPO, "../../evil.png", bytes(10, 1)).put(REPO, "con", bytes(10, 1)).put(REPO, "x".repeat(3000), bytes(10, 1))
                .put(REPO, "m.gguf", bytes(100, 2));
        assertEquals(100, pull("hf.co/owner/repo").bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"sha\":7}", "{\"sha\":\"../../x\"}", "{\"sha\":\"0123\"}", "null", "{\"sha\":\"a\",\"sha\":\"b\"}"})
    void anAnswerWithoutACommitIsRefused(String answer) throws Exception {
        hub.onHub = e -> {
            StandIn.answer(e, answer);
            return true;
        };
        refused(HubFault.BadAnswer.class, models(), "hf.co/owner/repo", "owner/repo", "HF_ENDPOINT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[7]", "[{\"type\":\"file\"}]", "[{\"type\":\"file\",\"path\":\"m.gguf\",\"size\":-1,\"oid\":\"OID\"}]",
        "[{\"type\":\"file\",\"path\":\"m.gguf\",\"size\":99999999999999999,\"oid\":\"OID\"}]",
        "[{\"type\":\"file\",\"path\":\"m.gguf\",\"size\":5,\"oid\":\"../../x\"}]",
        "[{\"type\":\"file\",\"path\":\"m.gguf\",\"size\":5,\"lfs\":{\"oid\":\"OID\",\"size\":6}}]",
        "[{\"type\":\"file\",\"path\":\"m.gguf\",\"size\":5,\"lfs\":{\"oid\":\"zz\"}}]",
        "[{\"type\":\"file\",\"path\":\"m.gguf\",\"size\":5,\"oid\":\"OID\"},{\"type\":\"file\",\"path\":\"m.gguf\",\"size\":6,\"oid\":\"OID\"}]"})
    void aListThatIsNoneIsRefused(String answer) throws Exception {
        hub.onHub = e -> {
            boolean tree = e.getRequestURI().getPath().contains("/tree/");
            StandIn.answer(e, tree ? answer.replace("OID", "a".repeat(40)) : "{\"sha\":\"" + StandIn.COMMIT + "\"}");
            return true;
        };
        refused(HubFault.BadAnswer.class, models(), "hf.co/owner/repo", "owner/repo");
    }

    @Test
    void pagesWithoutEndAreRefused() throws Exception {
        AtomicInteger pages = new AtomicInteger();
        hub.onHub = e -> {
            boolean tree = e.getRequestURI().getPath().contains("/tree/");
            e.getResponseHeaders().add("Link", "<" + hub.endpoint() + "/x?cursor=" + pages.incrementAndGet() + ">; rel=\"next\"");
            StandIn.answer(e, tree ? "[]" : "{\"sha\":\"" + StandIn.COMMIT + "\"}");
            return true;
        };
        refused(HubFault.BadAnswer.class, models(), "hf.co/owner/repo", "pages");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELF", "LONGER", "file:///etc/passwd", "ftp://h/x", "http:///x", "::", "", "jar:http://h!/x"})
    void redirectsThatLeadNowhereAreRefused(String to) throws Exception {
        hub.onHub = e -> {
            String self = hub.endpoint() + e.getRequestURI().toString();
            StandIn.redirect(e, switch (to) {
                case "SELF" -> self;
                case "LONGER" -> self + "x";
                default -> to;
            });
            return true;
        };
        refused(HubFault.BadRedirect.class, models(), "hf.co/owner/repo");
        assertTrue(hub.asked.size() <= 12, hub.asked.size() + " requests");
    }

    @Test
    void aRenamedRepositoryIsFollowedAndTheTokenWithIt() throws Exception {
        hub.put("new/name", "m.gguf", bytes(100, 1)).token = "hf_right";
        hub.onHub = e -> {
            boolean old = e.getRequestURI().toString().contains("owner/repo");
            if (old) {
                StandIn.redirect(e, e.getRequestURI().toString().replace("owner/repo", "new/name"));
            }
            return old;
        };
        assertEquals(100, withToken("hf_right").pull(ref("hf.co/owner/repo"), PullListener.NONE).bytes());
    }

    @Test
    void aBusyHubIsWaitedForAsLongAsItAsksWithinReason() throws Exception {
        hub.put(REPO, "m.gguf", bytes(100, 1));
        AtomicInteger nth = new AtomicInteger();
        hub.onHub = e -> {
            boolean busy = nth.incrementAndGet() == 1;
            if (busy) {
                e.getResponseHeaders().add("Retry-After", "1");
                e.sendResponseHeaders(429, -1);
            }
            return busy;
        };
        long start = System.nanoTime();
        pull("hf.co/owner/repo");
        assertTrue(System.nanoTime() - start > 0.9e9);
        models().cache().remove(ref("hf.co/owner/repo"));
        String late = ZonedDateTime.now(ZoneOffset.UTC).plusHours(1).format(DateTimeFormatter.RFC_1123_DATE_TIME);
        for (String wait : List.of("3600", late)) {
            hub.onHub = e -> {
                e.getResponseHeaders().add("Retry-After", wait);
                e.sendResponseHeaders(429, -1);
                return true;
            };
            assertTrue(refused(HubFault.Busy.class, models(), "hf.co/owner/repo", "HF_TOKEN").seconds() > 3500);
        }
        hub.onHub = e -> {
            e.getResponseHeaders().add("Retry-After", "soon");
            e.sendResponseHeaders(429, -1);
            return true;
        };
        refused(HubFault.Busy.class, models(), "hf.co/owner/repo", "try again later");
    }

    @Test
    void aHubThatFailsOrIsNotThereIsNamed() throws Exception {
        hub.onHub = e -> {
            e.sendResponseHeaders(502, -1);
            return true;
        };
        refused(HubFault.Refused.class, models(), "hf.co/owner/repo", "502", "owner/repo");
        assertEquals(4, hub.asked.size());
        hub.onHub = e -> {
            e.sendResponseHeaders(418, -1);
            return true;
        };
        refused(HubFault.Refused.class, models(), "hf.co/owner/repo", "418");
        URI gone = hub.endpoint();
        hub.close();
        refused(HubFault.Unreachable.class, models(), "hf.co/owner/repo", "localhost:" + gone.getPort(), "--offline", "HF_ENDPOINT");
    }

    @Test
    void aModelThatDoesNotFitTheDiskIsRefusedBeforeItComes() throws Exception {
        hub.put(REPO, StandIn.COMMIT, "m.gguf", new StandIn.Entry(new byte[1], true, "a".repeat(64), 1L << 43));
        HubFault.NoSpace fault = refused(HubFault.NoSpace.class, models(), "hf.co/owner/repo", "POOT_CACHE", "8.8 TB", cache().toString());
        assertTrue(fault.needed() >= 1L << 43 && fault.free() < fault.needed());
        assertEquals(0, hub.contentRequests());
    }

    @Test
    void aCacheThatCannotBeWrittenIsNamed() throws Exception {
        Files.writeString(cache(), "a file");
        hub.put(REPO, "m.gguf", bytes(100, 1));
        HubException e = assertThrows(HubException.class, () -> pull("hf.co/owner/repo"));
        assertTrue(e.fault() instanceof HubFault.CacheFile && e.getMessage().contains(cache().toString()), e.getMessage());
    }
}
