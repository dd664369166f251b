package poot.serve.web;

import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.http1.Http1ConnectionSelectorConfig;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import poot.serve.config.ServerOptions;

/** A port with a service behind it. */
public final class Listener implements AutoCloseable {
    private static final Duration GRACE = Duration.ofMillis(200);

    private final WebServer server;
    private final ServerOptions options;

    private Listener(WebServer server, ServerOptions options) {
        this.server = server;
        this.options = options;
    }

    /**
     * Opens the port.
     *
     * @throws ListenException if it cannot be had, or the certificate cannot be read
     */
    public static Listener open(ServerOptions options, ApiService service) throws ListenException {
        ServerOptions.Limits limits = options.limits();
        ServerOptions.Times times = options.times();
        WebServerConfig.Builder config = WebServer.builder()
                .host(options.address().host()).port(options.address().port())
                .featuresDiscoverServices(false).protocolsDiscoverServices(false)
                .shutdownHook(false).shutdownGracePeriod(GRACE)
                .maxPayloadSize(limits.body())
                .maxTcpConnections(limits.connections()).idleConnectionTimeout(times.idle()).idleConnectionPeriod(Duration.ofSeconds(5))
                .connectionOptions(o -> o.readTimeout(times.receive()).tcpNoDelay(true))
                .addConnectionSelector(new WatchedSelector(http(limits), service.lines(), times.receive()))
                .errorHandling(e -> e.includeEntity(true)).directHandlers(refusals(service.refusal()))
                .routing(HttpRouting.builder().register(service).any(service::elsewhere));
        Optional<Tls> tls = options.access().tls().isPresent()
                ? Optional.of(Certificates.tls(options.access().tls().get())) : Optional.empty();
        tls.ifPresent(config::tls);
        return new Listener(start(config, options), options);
    }

    private static WebServer start(WebServerConfig.Builder config, ServerOptions options) throws ListenException {
        ServerOptions.Address address = options.address();
        String where = address.host() + ":" + address.port();
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(address.host(), address.port()));
        } catch (IOException | IllegalArgumentException e) {
            throw new ListenException(where, e);
        }
        WebServer server = config.build().start();
        if (!server.isRunning() || server.port() < 0) {
            server.stop();
            throw new ListenException(where, new IOException("the port was taken just now"));
        }
        return server;
    }

    private static ServerConnectionSelector http(ServerOptions.Limits limits) {
        Http1Config http = Http1Config.builder().maxHeadersSize(limits.headers()).maxPrologueLength(4096).build();
        return Http1ConnectionSelector.builder().config(http).build();
    }

    /** What is refused before a route is found has the shape of every other error. */
    private static DirectHandlers refusals(Refusal refusal) {
        DirectHandlers.Builder out = DirectHandlers.builder();
        for (EventType type : EventType.values()) {
            out.addHandler(type, refusal);
        }
        return out.build();
    }

    /** The port it has. */
    public int port() {
        return server.port();
    }

    /** Where clients find it. */
    public String url() {
        String host = options.address().host();
        String shown = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
        return (server.hasTls() ? "https://" : "http://") + shown + ":" + port();
    }

    /** Closes the port and every connection. */
    @Override
    public void close() {
        server.stop();
    }
}
