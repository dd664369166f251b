package poot.core.hub;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Through which proxy the hub is asked. This machine itself is always asked directly.
 *
 * @param http   for {@code http} addresses: {@code http_proxy} or {@code HTTP_PROXY}
 * @param https  for {@code https} addresses: {@code https_proxy} or {@code HTTPS_PROXY}
 * @param direct hosts asked directly, with all hosts below them; {@code *} for all: {@code no_proxy} or {@code NO_PROXY}
 */
public record HubProxies(Optional<InetSocketAddress> http, Optional<InetSocketAddress> https, List<String> direct) {
    /** As Java's own properties say, such as {@code https.proxyHost}. */
    public static final HubProxies JAVA = new HubProxies(Optional.empty(), Optional.empty(), List.of());

    private static final int DEFAULT_PORT = 80;

    public HubProxies {
        direct = List.copyOf(direct);
    }

    /** As an environment says. */
    static HubProxies from(Map<String, String> environment) throws HubException {
        String no = value(environment, "NO_PROXY").orElse("");
        return new HubProxies(proxy(environment, "HTTP_PROXY"), proxy(environment, "HTTPS_PROXY"), Stream.of(no.split("[,\\s]+"))
                .map(h -> h.toLowerCase(Locale.ROOT).replaceFirst("^\\*?\\.", "").replaceFirst(":[0-9]*$", "")).filter(h -> !h.isEmpty()).toList());
    }

    private static Optional<String> value(Map<String, String> environment, String name) {
        return Stream.of(name.toLowerCase(Locale.ROOT), name).map(n -> environment.getOrDefault(n, "").strip())
                .filter(v -> !v.isEmpty()).findFirst();
    }

    private static Optional<InetSocketAddress> proxy(Map<String, String> environment, String name) throws HubException {
        Optional<String> value = value(environment, name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI uri = URI.create(value.get().contains("://") ? value.get() : "http://" + value.get());
            if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
                throw new HubException(new HubFault.BadSetting(name, "not the address of an HTTP proxy; give http://HOST:PORT"));
            }
            if (uri.getRawUserInfo() != null) {
                throw new HubException(new HubFault.BadSetting(name,
                        "a proxy that wants a password is not supported; give one without, http://HOST:PORT"));
            }
            return Optional.of(InetSocketAddress.createUnresolved(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort()));
        } catch (IllegalArgumentException e) {
            throw new HubException(new HubFault.BadSetting(name, "not the address of a proxy; give http://HOST:PORT"), e);
        }
    }

    /** What the client asks for each address. */
    ProxySelector selector() {
        ProxySelector java = ProxySelector.getDefault();
        if (http.isEmpty() && https.isEmpty() && java != null) {
            return java;
        }
        return new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                Optional<InetSocketAddress> proxy = "https".equalsIgnoreCase(uri.getScheme()) ? https : http;
                return List.of(proxy.isEmpty() || isDirect(uri.getHost()) ? Proxy.NO_PROXY
                        : new Proxy(Proxy.Type.HTTP, new InetSocketAddress(proxy.get().getHostString(), proxy.get().getPort())));
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException e) {
                // The request itself fails, with the proxy's address in what is said.
            }
        };
    }

    private boolean isDirect(String name) {
        String host = name.toLowerCase(Locale.ROOT);
        boolean here = host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
        return here || direct.stream().anyMatch(d -> d.equals("*") || host.equals(d) || host.endsWith("." + d));
    }
}
