package poot.core.hub;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;

/**
 * GET requests to the hub and to where it redirects. Redirects are followed here, so that the token goes to the endpoint
 * alone. Safe for use by several threads.
 */
final class HubHttp implements AutoCloseable {
    /** What a request is for: the repository, its revision, and a file of it or an empty string. */
    record Wanted(String repository, String revision, String file) {
        @Override
        public String toString() {
            return repository + "@" + revision + (file.isEmpty() ? "" : "/" + file);
        }
    }

    /**
     * An answer with status 200, 206 or 416.
     *
     * @param body to be closed by the caller
     */
    record Answer(int status, Map<String, String> headers, InputStream body, String host) implements AutoCloseable {
        /** A header, or an empty string. */
        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    private static final int REDIRECTS = 10;
    private static final int SAID = 200;
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final HubOptions options;
    private final HttpClient client;
    private final ScheduledExecutorService clock;

    HubHttp(HubOptions options) {
        this.options = options;
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER)
                .proxy(options.proxies().selector()).connectTimeout(options.timeout().compareTo(CONNECT) < 0 ? options.timeout() : CONNECT).build();
        this.clock = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("hub-clock").factory());
    }

    /**
     * One attempt of a request.
     *
     * @param unwanted asked from time to time while the body is read; true cuts it off
     */
    Answer get(URI from, Wanted wanted, Map<String, String> headers, BooleanSupplier unwanted) throws HubException, TransientException {
        Set<URI> seen = new HashSet<>();
        URI at = from;
        while (true) {
            if (!seen.add(at)) {
                throw redirect(at, "redirects in a loop for " + wanted);
            }
            if (seen.size() > REDIRECTS) {
                throw redirect(at, "more than " + REDIRECTS + " redirects for " + wanted);
            }
            HttpResponse<InputStream> response = send(at, wanted, headers);
            int status = response.statusCode();
            if (status == 200 || status == 206 || status == 416) {
                InputStream body = new WatchedBody(response.body(), options.timeout(), unwanted, clock);
                return new Answer(status, headers(response), body, host(at));
            }
            discard(response);
            switch (status) {
                case 301, 302, 303, 307, 308 -> at = next(at, response, wanted);
                default -> fail(at, response, wanted);
            }
        }
    }

    private HttpResponse<InputStream> send(URI at, Wanted wanted, Map<String, String> headers) throws HubException, TransientException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(at).timeout(options.timeout()).header("User-Agent", "poot");
            headers.forEach(request::header);
            if (isEndpoint(at)) {
                options.token().ifPresent(t -> request.header("Authorization", "Bearer " + t));
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IllegalArgumentException e) {
            throw new HubException(new HubFault.BadRedirect(host(at), "an address that cannot be asked: " + e.getMessage()), e);
        } catch (IOException e) {
            String reason = e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
            throw new TransientException(new HubFault.Unreachable(host(at), HubFault.printable(reason, SAID)), Duration.ZERO, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HubException(new HubFault.Interrupted(wanted.repository()), e);
        }
    }

    private static void discard(HttpResponse<InputStream> response) throws TransientException {
        try {
            response.body().close();
        } catch (IOException e) {
            throw new TransientException(new HubFault.Unreachable(host(response.uri()), String.valueOf(e.getMessage())), Duration.ZERO, e);
        }
    }

    private URI next(URI at, HttpResponse<InputStream> response, Wanted wanted) throws HubException {
        String location = response.headers().firstValue("location").orElse("");
        URI to;
        try {
            to = at.resolve(location);
        } catch (IllegalArgumentException e) {
            throw new HubException(new HubFault.BadRedirect(host(at), "redirects to no address for " + wanted), e);
        }
        boolean web = "https".equalsIgnoreCase(to.getScheme()) || "http".equalsIgnoreCase(to.getScheme());
        if (location.isEmpty() || !web || to.getHost() == null) {
            throw redirect(at, "redirects to no address for " + wanted);
        }
        if ("https".equalsIgnoreCase(at.getScheme()) && !"https".equalsIgnoreCase(to.getScheme())) {
            throw redirect(at, "redirects from https to http for " + wanted);
        }
        return to;
    }

    /** Turns a status that is neither success nor redirect into what it means. */
    private void fail(URI at, HttpResponse<InputStream> response, Wanted wanted) throws HubException, TransientException {
        int status = response.statusCode();
        String said = HubFault.printable(response.headers().firstValue("x-error-message").orElse(""), SAID);
        if (status == 429) {
            Duration asked = retryAfter(response.headers().firstValue("retry-after").orElse(""));
            HubFault busy = new HubFault.Busy(host(at), asked.toSeconds());
            if (asked.compareTo(Attempts.LONGEST_ASKED) > 0) {
                throw new HubException(busy);
            }
            throw new TransientException(busy, asked, null);
        }
        HubFault refused = new HubFault.Refused(host(at), status, wanted.toString(), said);
        if (status >= 500 || status == 408) {
            Duration asked = retryAfter(response.headers().firstValue("retry-after").orElse(""));
            throw new TransientException(refused, asked.compareTo(Attempts.LONGEST_ASKED) > 0 ? Duration.ZERO : asked, null);
        }
        if (!isEndpoint(at)) {
            // A signed address that the hub redirected to; the next attempt gets a fresh one.
            throw new TransientException(refused, Duration.ZERO, null);
        }
        String code = response.headers().firstValue("x-error-code").orElse("");
        boolean token = options.token().isPresent();
        throw new HubException(switch (status) {
            case 401, 403 -> status == 403 || code.equals("GatedRepo")
                    ? new HubFault.Gated(wanted.repository(), options.endpoint().resolve(basePath() + "/" + wanted.repository()), token, said)
                    : new HubFault.NotAllowed(wanted.repository(), token, said);
            case 404 -> absent(code, wanted);
            default -> refused;
        });
    }

    private HubFault absent(String code, Wanted wanted) {
        if (code.equals("RevisionNotFound")) {
            return new HubFault.NoRevision(wanted.repository(), wanted.revision());
        }
        if (code.equals("RepoNotFound") || wanted.file().isEmpty()) {
            return new HubFault.NoRepository(wanted.repository(), options.endpoint(), wanted.revision());
        }
        return new HubFault.NoFile(wanted.repository(), wanted.revision(), wanted.file(), "the hub lists it but does not have it");
    }

    /** Seconds or a date, as a time from now; zero for anything else. */
    private static Duration retryAfter(String value) {
        try {
            if (value.matches("[0-9]{1,9}")) {
                return Duration.ofSeconds(Long.parseLong(value));
            }
            Duration until = value.isEmpty() ? Duration.ZERO
                    : Duration.between(ZonedDateTime.now(), ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME));
            return until.isNegative() ? Duration.ZERO : until;
        } catch (DateTimeException e) {
            return Duration.ZERO;
        }
    }

    private static Map<String, String> headers(HttpResponse<InputStream> response) {
        Map<String, String> out = new HashMap<>();
        response.headers().map().forEach((name, values) -> out.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        return out;
    }

    /** True for what the token may be sent to: scheme, host and port of the endpoint. */
    private boolean isEndpoint(URI uri) {
        URI endpoint = options.endpoint();
        return endpoint.getScheme().equalsIgnoreCase(uri.getScheme()) && endpoint.getHost().equalsIgnoreCase(uri.getHost())
                && port(endpoint) == port(uri);
    }

    private String basePath() {
        return options.endpoint().getRawPath() == null ? "" : options.endpoint().getRawPath();
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }

    /** The host an address names, without the rest, which may hold a signature. */
    static String host(URI uri) {
        return uri.getHost() + (uri.getPort() >= 0 ? ":" + uri.getPort() : "");
    }

    private static HubException redirect(URI at, String reason) {
        return new HubException(new HubFault.BadRedirect(host(at), reason));
    }

    @Override
    public void close() {
        clock.shutdownNow();
        client.shutdownNow();
        client.close();
    }
}
