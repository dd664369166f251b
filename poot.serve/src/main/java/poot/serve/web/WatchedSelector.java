package poot.serve.web;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/** HTTP/1.1 connections, each on a {@link Line}. */
final class WatchedSelector implements ServerConnectionSelector {
    private final ServerConnectionSelector http;
    private final Lines lines;
    private final Duration head;

    WatchedSelector(ServerConnectionSelector http, Lines lines, Duration head) {
        this.http = http;
        this.lines = lines;
        this.head = head;
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        Line line = new Line(context.remotePeer().host(), Optional.of(context.dataReader()), head);
        return new Watched(http.connection(new Context(context, DataReader.create(line))), line);
    }

    /** A connection whose thread knows its line. */
    private final class Watched implements ServerConnection {
        private final ServerConnection connection;
        private final Line line;

        Watched(ServerConnection connection, Line line) {
            this.connection = connection;
            this.line = line;
        }

        @Override
        public void handle(Limit limit) throws InterruptedException {
            lines.add(line);
            try {
                ScopedValue.where(Line.CURRENT, line).call(() -> {
                    connection.handle(limit);
                    return null;
                });
            } finally {
                lines.remove(line);
            }
        }

        @Override
        public Duration idleTime() {
            return connection.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            connection.close(interrupt);
        }
    }

    /** A context whose bytes come by the line. */
    private record Context(ConnectionContext of, DataReader dataReader) implements ConnectionContext {
        @Override
        public ListenerContext listenerContext() {
            return of.listenerContext();
        }

        @Override
        public ExecutorService executor() {
            return of.executor();
        }

        @Override
        public DataWriter dataWriter() {
            return of.dataWriter();
        }

        @Override
        public Router router() {
            return of.router();
        }

        @Override
        public Optional<ProxyProtocolData> proxyProtocolData() {
            return of.proxyProtocolData();
        }

        @Override
        public HelidonSocket serverSocket() {
            return of.serverSocket();
        }

        @Override
        public PeerInfo remotePeer() {
            return of.remotePeer();
        }

        @Override
        public PeerInfo localPeer() {
            return of.localPeer();
        }

        @Override
        public boolean isSecure() {
            return of.isSecure();
        }

        @Override
        public String socketId() {
            return of.socketId();
        }

        @Override
        public String childSocketId() {
            return of.childSocketId();
        }
    }
}
