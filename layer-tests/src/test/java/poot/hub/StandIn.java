package poot.hub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * A hub on this machine: the interface on one port, and large files by redirect on another, as a content network serves
 * them. What is asked is recorded; a test may answer any request itself.
 */
public final class StandIn implements AutoCloseable {
    /** A request that was made. */
    record Asked(boolean content, String path, String range, String ifRange, String authorization) {}

    /** A file as the hub lists it, and as it is served. */
    record Entry(byte[] bytes, boolean large, String digest, long listed) {}

    /** Answers a request in place of the stand-in, or leaves it by returning false. */
    @FunctionalInterface
    interface Answering {
        boolean answer(HttpExchange exchange) throws IOException;
    }

    /** The commit that {@code main} is at first. */
    static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

    private final HttpServer hub = server();
    private final HttpServer network = server();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final Map<String, Map<String, Map<String, Entry>>> repositories = new ConcurrentHashMap<>();
    private final Map<String, String> heads = new ConcurrentHashMap<>();
    final List<Asked> asked = new CopyOnWriteArrayList<>();
    /** Bytes of content that were sent. */
    final AtomicLong sent = new AtomicLong();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger mostOpen = new AtomicInteger();
    volatile Answering onHub = e -> false;
    volatile Answering onNetwork = e -> false;
    /** Milliseconds after every 16 KiB of content. */
    volatile int pause;
    volatile int page = 1000;
    volatile boolean ranges = true;
    volatile String tag = "\"v1\"";
    volatile String token = "";

    StandIn() throws IOException {
        hub.createContext("/", e -> handle(e, false));
        network.createContext("/", e -> handle(e, true));
        for (HttpServer s : List.of(hub, network)) {
            s.setExecutor(workers);
            s.start();
        }
    }

    /** A stand-in, for tests of other packages. */
    public static StandIn start() throws IOException {
        return new StandIn();
    }

    private static HttpServer server() throws IOException {
        return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    }

    /** What {@code HF_ENDPOINT} is set to. */
    public URI endpoint() {
        return URI.create("http://localhost:" + hub.getAddress().getPort());
    }

    /** Puts a file into a repository at {@link #COMMIT}; weights are large files. */
    public StandIn put(String repository, String path, byte[] bytes) {
        return put(repository, COMMIT, path, bytes);
    }

    StandIn put(String repository, String commit, String path, byte[] bytes) {
        boolean large = path.endsWith(".gguf") || path.endsWith(".safetensors") || path.endsWith(".bin");
        return put(repository, commit, path, new Entry(bytes, large, large ? sha256(bytes) : git(bytes), bytes.length));
    }

    StandIn put(String repository, String commit, String path, Entry entry) {
        heads.putIfAbsent(repository, COMMIT);
        repositories.computeIfAbsent(repository, r -> new ConcurrentHashMap<>())
                .computeIfAbsent(commit, c -> new TreeMap<>()).put(path, entry);
        return this;
    }

    StandIn head(String repository, String commit) {
        heads.put(repository, commit);
        return this;
    }

    private void handle(HttpExchange e, boolean content) throws IOException {
        try (e) {
            e.getRequestBody().readAllBytes();
            asked.add(new Asked(content, e.getRequestURI().toString(), first(e, "Range"), first(e, "If-Range"), first(e, "Authorization")));
            if ((content ? onNetwork : onHub).answer(e)) {
                return;
            }
            String[] parts = e.getRequestURI().getRawPath().split("/", 8);
            if (!token.isEmpty() && !content && !first(e, "Authorization").equals("Bearer " + token)) {
                fail(e, 401, "GatedRepo", "Access to this model is restricted");
            } else if (content || parts[1].equals("content")) {
                file(e, e.getRequestURI().getPath().substring("/content/".length()), content);
            } else if (parts[1].equals("api") && parts.length == 7) {
                api(e, parts[3] + "/" + parts[4], parts[5], decoded(parts[6]));
            } else {
                String path = e.getRequestURI().getPath();
                file(e, path.substring(1).replaceFirst("/resolve/", "/"), false);
            }
        }
    }

    private void api(HttpExchange e, String repository, String what, String revision) throws IOException {
        Map<String, Map<String, Entry>> commits = repositories.get(repository);
        if (commits == null) {
            fail(e, 404, "RepoNotFound", "Repository not found");
            return;
        }
        String commit = revision.equals("main") ? heads.get(repository) : revision;
        if (!commits.containsKey(commit)) {
            fail(e, 404, "RevisionNotFound", "Invalid rev id: " + revision);
            return;
        }
        if (what.equals("revision")) {
            answer(e, JsonMapper.shared().writeValueAsString(Map.of("id", repository, "sha", commit)));
            return;
        }
        List<Map.Entry<String, Entry>> all = List.copyOf(commits.get(commit).entrySet());
        String query = e.getRequestURI().getQuery();
        int from = query.contains("cursor=") ? Integer.parseInt(query.replaceFirst(".*cursor=", "")) : 0;
        int to = Math.min(all.size(), from + page);
        if (to < all.size()) {
            e.getResponseHeaders().add("Link", "<https://elsewhere.invalid/tree?recursive=true&cursor=" + to + ">; rel=\"next\"");
        }
        answer(e, all.subList(from, to).stream().map(StandIn::listed).collect(Collectors.joining(",", "[", "]")));
    }

    private static String listed(Map.Entry<String, Entry> named) {
        Entry f = named.getValue();
        Map<String, Object> out = new TreeMap<>(Map.of("type", "file", "path", named.getKey(), "size", f.listed(), "oid", f.digest()));
        if (f.large()) {
            out.put("lfs", Map.of("oid", f.digest(), "size", f.listed(), "pointerSize", 135));
        }
        return JsonMapper.shared().writeValueAsString(out);
    }

    private void file(HttpExchange e, String where, boolean content) throws IOException {
        String[] parts = where.split("/", 4);
        Optional<Entry> found = Optional.ofNullable(repositories.get(parts[0] + "/" + parts[1]))
                .map(r -> r.get(parts[2])).map(c -> c.get(parts[3]));
        e.getResponseHeaders().add("X-Repo-Commit", parts[2]);
        found.filter(Entry::large).ifPresent(f -> {
            e.getResponseHeaders().add("X-Linked-Size", Long.toString(f.listed()));
            e.getResponseHeaders().add("X-Linked-Etag", "\"" + f.digest() + "\"");
        });
        if (found.isEmpty()) {
            fail(e, 404, "EntryNotFound", "Entry not found");
        } else if (found.get().large() && !content) {
            redirect(e, "http://127.0.0.1:" + network.getAddress().getPort() + "/content/" + e.getRequestURI().getRawPath().substring(1)
                    .replaceFirst("/resolve/", "/"));
        } else {
            send(e, found.get().bytes());
        }
    }

    /** Sends content, or the range of it that is asked for. */
    void send(HttpExchange e, byte[] bytes) throws IOException {
        int from = 0;
        int to = bytes.length;
        String range = first(e, "Range");
        String ifRange = first(e, "If-Range");
        e.getResponseHeaders().add("ETag", tag);
        if (e.getRequestMethod().equals("HEAD")) {
            e.getResponseHeaders().add("Content-Length", Integer.toString(bytes.length));
            e.sendResponseHeaders(200, -1);
            return;
        }
        boolean part = ranges && !range.isEmpty() && (ifRange.isEmpty() || ifRange.equals(tag));
        if (part) {
            String[] ends = range.substring("bytes=".length()).split("-");
            from = Integer.parseInt(ends[0]);
            to = Math.min(bytes.length, Integer.parseInt(ends[1]) + 1);
            e.getResponseHeaders().add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + bytes.length);
        }
        mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
        e.sendResponseHeaders(part ? 206 : 200, to - from == 0 ? -1 : to - from);
        try (OutputStream out = e.getResponseBody()) {
            for (int at = from; at < to; at += 1 << 14) {
                int n = Math.min(1 << 14, to - at);
                out.write(bytes, at, n);
                out.flush();
                sent.addAndGet(n);
                Thread.sleep(pause);
            }
        } catch (InterruptedException i) {
            Thread.currentThread().interrupt();
        } finally {
            open.decrementAndGet();
        }
    }

    /** Sends the first {@code n} bytes of what was asked for, then breaks off. */
    void cut(HttpExchange e, byte[] bytes, int n) throws IOException {
        String[] ends = first(e, "Range").substring("bytes=".length()).split("-");
        int from = Integer.parseInt(ends[0]);
        int to = Integer.parseInt(ends[1]) + 1;
        e.getResponseHeaders().add("ETag", tag);
        e.getResponseHeaders().add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + bytes.length);
        e.sendResponseHeaders(206, to - from);
        int some = Math.min(n, to - from);
        e.getResponseBody().write(bytes, from, some);
        e.getResponseBody().flush();
        sent.addAndGet(some);
    }

    static void redirect(HttpExchange e, String to) throws IOException {
        e.getResponseHeaders().add("Location", to);
        e.sendResponseHeaders(302, -1);
    }

    static void fail(HttpExchange e, int status, String code, String message) throws IOException {
        e.getResponseHeaders().add("X-Error-Code", code);
        e.getResponseHeaders().add("X-Error-Message", message);
        e.sendResponseHeaders(status, -1);
    }

    static void answer(HttpExchange e, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        e.sendResponseHeaders(200, bytes.length);
        e.getResponseBody().write(bytes);
    }

    static String first(HttpExchange e, String header) {
        return Optional.ofNullable(e.getRequestHeaders().getFirst(header)).orElse("");
    }

    private static String decoded(String part) {
        return URI.create("http://h/" + part).getPath().substring(1);
    }

    static String sha256(byte[] bytes) {
        return hex("SHA-256", bytes);
    }

    static String git(byte[] bytes) {
        byte[] head = ("blob " + bytes.length + "\0").getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(head, head.length + bytes.length);
        System.arraycopy(bytes, 0, all, head.length, bytes.length);
        return hex("SHA-1", all);
    }

    private static String hex(String algorithm, byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(algorithm, e);
        }
    }

    /** Requests so far. */
    public int requests() {
        return asked.size();
    }

    /** Requests for the content of large files so far. */
    long contentRequests() {
        return asked.stream().filter(Asked::content).count();
    }

    /** Ends the service; its address answers no more. */
    @Override
    public void close() {
        hub.stop(0);
        network.stop(0);
        workers.shutdownNow();
    }
}
