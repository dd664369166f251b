package poot.core.hub;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where models come from and go to.
 *
 * @param endpoint    the hub: {@code HF_ENDPOINT}, or {@code https://huggingface.co}; without a slash at its end
 * @param token       sent to the endpoint, and to no other host: {@code HF_TOKEN}, or the hub's token file
 * @param offline     true to use the cache alone: {@code POOT_OFFLINE} or {@code HF_HUB_OFFLINE}
 * @param cache       the cache's folder: {@code POOT_CACHE}, or {@code ~/.cache/poot}
 * @param hubCache    the cache of the hub's Python tools, whose files are taken rather than fetched again, if there is one
 * @param proxies     through which proxy: {@code HTTPS_PROXY}, {@code NO_PROXY}, or Java's own properties
 * @param connections transfers at the same time, over all files
 * @param segment     bytes of a file that one request asks for
 * @param timeout     without a byte from the hub, after which a request is given up
 * @param backoff     before the first further attempt; doubled for each
 * @param attempts    in a row without progress, after which a request is given up
 */
public record HubOptions(URI endpoint, Optional<String> token, boolean offline, Path cache, Optional<Path> hubCache,
        HubProxies proxies, int connections, long segment, Duration timeout, Duration backoff, int attempts) {
    private static final String DEFAULT_ENDPOINT = "https://huggingface.co";
    private static final int CONNECTIONS = 8;
    private static final long SEGMENT = 32L << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration BACKOFF = Duration.ofMillis(500);
    private static final int ATTEMPTS = 6;
    private static final int LONGEST_TOKEN = 4096;

    public HubOptions {
        Objects.requireNonNull(endpoint);
        Objects.requireNonNull(token);
        Objects.requireNonNull(cache);
        Objects.requireNonNull(hubCache);
        Objects.requireNonNull(proxies);
        if (connections < 1 || connections > 64 || segment < 1 << 12 || attempts < 1) {
            throw new IllegalArgumentException("connections " + connections + ", segment " + segment + ", attempts " + attempts);
        }
        if (timeout.isNegative() || timeout.isZero() || backoff.isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + ", backoff " + backoff);
        }
    }

    /** What this process's environment says. */
    public static HubOptions fromEnvironment() throws HubException {
        return from(System.getenv(), Path.of(System.getProperty("user.home", ".")));
    }

    /** What an environment says, for a user whose home is {@code home}. */
    public static HubOptions from(Map<String, String> environment, Path home) throws HubException {
        URI endpoint = endpoint(environment.getOrDefault("HF_ENDPOINT", "").strip());
        Path caches = folder(environment, "XDG_CACHE_HOME").orElse(home.resolve(".cache"));
        Path hubHome = folder(environment, "HF_HOME").orElse(caches.resolve("huggingface"));
        Path cache = folder(environment, "POOT_CACHE").orElse(caches.resolve("poot")).toAbsolutePath().normalize();
        Path hubCache = folder(environment, "HF_HUB_CACHE").orElse(hubHome.resolve("hub"));
        boolean offline = isTrue(environment, "POOT_OFFLINE") || isTrue(environment, "HF_HUB_OFFLINE");
        return new HubOptions(endpoint, token(environment, hubHome), offline, cache, Optional.of(hubCache),
                HubProxies.from(environment), CONNECTIONS, SEGMENT, TIMEOUT, BACKOFF, ATTEMPTS);
    }

    /** The same, with the network switched off or on. */
    public HubOptions withOffline(boolean value) {
        return new HubOptions(endpoint, token, value, cache, hubCache, proxies, connections, segment, timeout, backoff, attempts);
    }

    /** The same, with another folder for the cache. */
    public HubOptions withCache(Path value) {
        return new HubOptions(endpoint, token, offline, value.toAbsolutePath().normalize(), hubCache, proxies, connections, segment, timeout,
                backoff, attempts);
    }

    /** The same, with another size of requests and number of connections. */
    public HubOptions withTransfers(long bytes, int atOnce) {
        return new HubOptions(endpoint, token, offline, cache, hubCache, proxies, atOnce, bytes, timeout, backoff, attempts);
    }

    /** The same, with another patience. */
    public HubOptions withPatience(Duration silence, Duration first, int times) {
        return new HubOptions(endpoint, token, offline, cache, hubCache, proxies, connections, segment, silence, first, times);
    }

    /** Everything but the token. */
    @Override
    public String toString() {
        return "HubOptions[endpoint=" + endpoint + ", token=" + (token.isPresent() ? "(set)" : "(none)") + ", offline=" + offline
                + ", cache=" + cache + ", hubCache=" + hubCache.map(Path::toString).orElse("(none)") + ", proxies=" + proxies + ", connections=" + connections
                + ", segment=" + segment + ", timeout=" + timeout + ", backoff=" + backoff + ", attempts=" + attempts + "]";
    }

    private static URI endpoint(String text) throws HubException {
        String shown = HubFault.printable(text, 200);
        try {
            URI uri = URI.create((text.isEmpty() ? DEFAULT_ENDPOINT : text).replaceFirst("/+$", ""));
            boolean web = "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
            if (!web || uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
                throw bad("HF_ENDPOINT", shown + " is not the address of a hub; give one such as " + DEFAULT_ENDPOINT);
            }
            return uri;
        } catch (IllegalArgumentException e) {
            throw new HubException(new HubFault.BadSetting("HF_ENDPOINT", shown + " is no address: " + e.getMessage()), e);
        }
    }

    private static Optional<String> token(Map<String, String> environment, Path hubHome) throws HubException {
        for (String name : List.of("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")) {
            String value = environment.getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return Optional.of(checked(name, value));
            }
        }
        Path file = folder(environment, "HF_TOKEN_PATH").orElse(hubHome.resolve("token"));
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            String value = new String(in.readNBytes(LONGEST_TOKEN + 1), StandardCharsets.UTF_8).strip();
            return value.isEmpty() ? Optional.empty() : Optional.of(checked(file.toString(), value));
        } catch (IOException e) {
            throw new HubException(new HubFault.BadSetting(file.toString(), "the token file cannot be read: " + e.getMessage()), e);
        }
    }

    private static String checked(String source, String token) throws HubException {
        if (token.length() > LONGEST_TOKEN || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw bad(source, "holds no token: a token is one word of letters and digits");
        }
        return token;
    }

    private static Optional<Path> folder(Map<String, String> environment, String name) throws HubException {
        String value = environment.getOrDefault(name, "");
        try {
            return value.isBlank() ? Optional.empty() : Optional.of(Path.of(value));
        } catch (InvalidPathException e) {
            throw new HubException(new HubFault.BadSetting(name, "no path of this system: " + e.getMessage()), e);
        }
    }

    private static boolean isTrue(Map<String, String> environment, String name) throws HubException {
        String value = environment.getOrDefault(name, "").strip().toLowerCase(Locale.ROOT);
        return switch (value) {
            case "1", "true", "yes", "on" -> true;
            case "", "0", "false", "no", "off" -> false;
            default -> throw bad(name, HubFault.printable(value, 50) + " is neither 1 nor 0");
        };
    }

    private static HubException bad(String name, String reason) {
        return new HubException(new HubFault.BadSetting(name, reason));
    }
}
