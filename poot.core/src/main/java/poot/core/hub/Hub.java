package poot.core.hub;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import poot.api.model.CheckpointException;
import poot.core.hub.HubHttp.Wanted;
import poot.core.hub.ModelReference.OnHub;
import poot.core.json.Json;
import poot.core.json.JsonLimits;

/** The hub's interface: which commit a revision is, and which files a commit has. */
final class Hub {
    private static final long LARGEST_ANSWER = 32L << 20;
    private static final JsonLimits LIMITS = new JsonLimits(LARGEST_ANSWER, 32, 4_000_000);
    private static final int PAGES = 1000;
    /** For one answer, however slowly it comes. */
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Pattern NEXT = Pattern.compile("<([^<>]{1,4000})>\\s*;\\s*rel=\"?next\"?");
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    /** An answer's document, and the query of the next page or an empty string. */
    private record Page(Object document, String next) {}

    private final HubOptions options;
    private final HubHttp http;

    Hub(HubOptions options, HubHttp http) {
        this.options = options;
        this.http = http;
    }

    /** The commit that the reference's revision is now. */
    String commit(OnHub reference) throws HubException {
        if (reference.pinned()) {
            return reference.revision().orElseThrow();
        }
        String revision = reference.revisionOrMain();
        Wanted wanted = new Wanted(reference.repository(), revision, "");
        Object document = page(uri("/api/models/" + reference.repository() + "/revision/" + escaped(revision)), wanted).document();
        if (document instanceof Map<?, ?> map && map.get("sha") instanceof String sha && OnHub.isCommit(sha)) {
            return sha;
        }
        throw bad(wanted, "it names no commit (sha)");
    }

    /** The files of a commit. */
    RepoTree tree(OnHub reference, String commit) throws HubException {
        Wanted wanted = new Wanted(reference.repository(), commit, "");
        URI base = uri("/api/models/" + reference.repository() + "/tree/" + commit);
        List<RepoFile> files = new ArrayList<>();
        String query = "recursive=true";
        for (int pages = 0; !query.isEmpty(); pages++) {
            if (pages == PAGES) {
                throw bad(wanted, "more than " + PAGES + " pages");
            }
            // The next page is asked of the endpoint, whatever host the answer names.
            Page page = page(URI.create(base + "?" + query), wanted);
            if (!(page.document() instanceof List<?> list)) {
                throw bad(wanted, "not a list of files");
            }
            add(list, files, wanted);
            query = page.next();
        }
        try {
            return RepoTree.of(commit, files);
        } catch (RepoTree.BadEntryException e) {
            throw new HubException(new HubFault.BadAnswer(HubHttp.host(base), wanted.toString(), e.getMessage()), e);
        }
    }

    private void add(List<?> list, List<RepoFile> files, Wanted wanted) throws HubException {
        for (Object entry : list) {
            try {
                RepoTree.entry(entry).ifPresent(files::add);
            } catch (RepoTree.BadEntryException e) {
                throw new HubException(new HubFault.BadAnswer(HubHttp.host(options.endpoint()), wanted.toString(), e.getMessage()), e);
            }
            if (files.size() > RepoTree.MOST_FILES) {
                throw bad(wanted, "more than " + RepoTree.MOST_FILES + " files");
            }
        }
    }

    /** Where a file of a commit is had. */
    URI file(OnHub reference, String commit, String path) {
        StringBuilder at = new StringBuilder("/" + reference.repository() + "/resolve/" + commit);
        for (String part : path.split("/", -1)) {
            at.append('/').append(escaped(part));
        }
        return uri(at.toString());
    }

    private URI uri(String path) {
        return URI.create(options.endpoint() + path);
    }

    private Page page(URI at, Wanted wanted) throws HubException {
        Attempts attempts = new Attempts(wanted.repository(), options, true);
        while (true) {
            try {
                return once(at, wanted);
            } catch (TransientException e) {
                attempts.failed(e);
            }
        }
    }

    private Page once(URI at, Wanted wanted) throws HubException, TransientException {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        byte[] bytes;
        String link;
        try (HubHttp.Answer answer = http.get(at, wanted, Map.of("Accept", "application/json"), () -> System.nanoTime() > deadline)) {
            if (answer.status() != 200) {
                throw bad(wanted, "status " + answer.status());
            }
            bytes = answer.body().readNBytes((int) LARGEST_ANSWER + 1);
            link = answer.header("link");
        } catch (IOException e) {
            throw new TransientException(new HubFault.Unreachable(HubHttp.host(at),
                    "the answer broke off: " + HubFault.printable(String.valueOf(e.getMessage()), 200)), Duration.ZERO, e);
        }
        if (bytes.length > LARGEST_ANSWER) {
            throw bad(wanted, "more than " + LARGEST_ANSWER + " bytes");
        }
        try {
            return new Page(Json.value(Path.of("answer"), new ByteArrayInputStream(bytes), LIMITS), next(link, wanted));
        } catch (CheckpointException e) {
            throw new HubException(new HubFault.BadAnswer(HubHttp.host(at), wanted.toString(), e.fault().message()), e);
        }
    }

    /** The query of the page that a {@code Link} header names as the next. */
    private String next(String link, Wanted wanted) throws HubException {
        Matcher m = NEXT.matcher(link.length() > 8000 ? "" : link);
        if (!m.find()) {
            return "";
        }
        try {
            String query = URI.create(m.group(1)).getRawQuery();
            if (query != null) {
                return query;
            }
        } catch (IllegalArgumentException e) {
            throw new HubException(new HubFault.BadAnswer(HubHttp.host(options.endpoint()), wanted.toString(),
                    "its Link header names no address"), e);
        }
        throw bad(wanted, "its Link header names no next page");
    }

    private HubException bad(Wanted wanted, String reason) {
        return new HubException(new HubFault.BadAnswer(HubHttp.host(options.endpoint()), wanted.toString(), reason));
    }

    /** One part of an address's path, with everything escaped that is not a letter, a digit or {@code -._~}. */
    static String escaped(String part) {
        StringBuilder out = new StringBuilder(part.length() + 8);
        for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(b) >= 0 && b > 0) {
                out.append((char) b);
            } else {
                out.append('%').append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
            }
        }
        return out.toString();
    }
}
