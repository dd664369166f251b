package poot.serve.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a server listens and what it lets clients do.
 *
 * @param address where it listens
 * @param limits  what a client may send and have
 * @param times   how long things may take
 * @param access  who may call
 */
public record ServerOptions(Address address, Limits limits, Times times, Access access) {
    /** Port 8080 of this machine alone, 8 MiB bodies, 1024 connections, no keys. */
    public static final ServerOptions DEFAULT = new ServerOptions(new Address("127.0.0.1", 8080),
            new Limits(8 << 20, 16 << 10, 1024, 0, 0),
            new Times(Duration.ofSeconds(600), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(120),
                    Duration.ofSeconds(30), Duration.ofSeconds(5)),
            new Access(List.of(), List.of(), Optional.empty()));

    /**
     * Where a server listens.
     *
     * @param host a name or an address
     * @param port 0 for a free one
     */
    public record Address(String host, int port) {
        public Address {
            Objects.requireNonNull(host);
        }
    }

    /**
     * What a client may send and have.
     *
     * @param body        bytes of a body at most
     * @param headers     bytes of all headers at most
     * @param connections at once
     * @param output      tokens of one choice at most; 0 for what a row holds
     * @param perMinute   requests of one key, or one address where there are no keys; 0 for any
     */
    public record Limits(int body, int headers, int connections, int output, int perMinute) {}

    /**
     * How long things may take.
     *
     * @param request one request from its submission; zero for any time
     * @param receive its headers, and again its body, to arrive
     * @param send    a client to take what is sent
     * @param idle    a connection without a request
     * @param drain   running answers to end when the server closes
     * @param beat    a stream without an event, before the client is looked for
     */
    public record Times(Duration request, Duration receive, Duration send, Duration idle, Duration drain, Duration beat) {}

    /**
     * Who may call.
     *
     * @param keys    API keys; none for anybody
     * @param origins whose pages may call; {@code *} for any; none for none
     * @param tls     certificate and key; empty for plain HTTP
     */
    public record Access(List<String> keys, List<String> origins, Optional<Tls> tls) {
        public Access {
            keys = List.copyOf(keys);
            origins = List.copyOf(origins);
        }

        @Override
        public String toString() {
            return "Access[" + keys.size() + " keys, origins=" + origins + ", tls=" + tls.isPresent() + "]";
        }
    }

    /** Where a certificate and its key lie. */
    public sealed interface Tls {
        /** Two PEM files: the chain, and a PKCS 8 key. */
        record Pem(Path certificate, Path key) implements Tls {}

        /** A PKCS 12 file. */
        record Pkcs12(Path file, String password) implements Tls {
            @Override
            public String toString() {
                return "Pkcs12[" + file + "]";
            }
        }
    }

    /** The options the settings come to. */
    public static ServerOptions of(Settings s) throws SettingException {
        return new ServerOptions(new Address(s.text("host").orElse("127.0.0.1"), s.count("port", 0, 65_535)),
                new Limits(s.count("max-body", 1024, 1 << 30), s.count("max-headers", 1024, 1 << 20),
                        s.count("max-connections", 1, 1 << 20), s.count("max-output", 0, Integer.MAX_VALUE), s.count("rate", 0, 1 << 30)),
                new Times(s.seconds("request-timeout", 0), s.seconds("receive-timeout", 1), s.seconds("send-timeout", 1),
                        s.seconds("idle-timeout", 1), s.seconds("drain-timeout", 0), DEFAULT.times().beat()),
                new Access(keys(s), s.list("cors"), tls(s)));
    }

    private static List<String> keys(Settings s) throws SettingException {
        List<String> keys = new ArrayList<>(s.list("api-key"));
        Optional<Path> file = s.path("api-key-file");
        if (file.isPresent()) {
            try {
                Files.readAllLines(file.get()).stream().map(String::strip).filter(k -> !k.isEmpty() && !k.startsWith("#")).forEach(keys::add);
            } catch (IOException e) {
                throw new SettingException(new SettingException.Unreadable("api-key-file", file.get().toString(), e.toString()), e);
            }
        }
        return keys;
    }

    private static Optional<Tls> tls(Settings s) throws SettingException {
        Optional<Path> certificate = s.path("tls-certificate");
        Optional<Path> key = s.path("tls-key");
        Optional<Path> store = s.path("tls-keystore");
        if (certificate.isPresent() != key.isPresent()) {
            throw s.refused(certificate.isPresent() ? "tls-key" : "tls-certificate", "both tls-certificate and tls-key, or neither");
        }
        if (store.isPresent() && key.isPresent()) {
            throw s.refused("tls-keystore", "either PEM files or a PKCS 12 file");
        }
        return store.isPresent() ? Optional.of(new Tls.Pkcs12(store.get(), s.text("tls-keystore-password").orElse("")))
                : certificate.map(c -> new Tls.Pem(c, key.orElseThrow()));
    }

    /** At another address. */
    public ServerOptions withAddress(String host, int port) {
        return new ServerOptions(new Address(host, port), limits, times, access);
    }

    /** Under other limits. */
    public ServerOptions withLimits(Limits l) {
        return new ServerOptions(address, l, times, access);
    }

    /** With other times. */
    public ServerOptions withTimes(Times t) {
        return new ServerOptions(address, limits, t, access);
    }

    /** With other access. */
    public ServerOptions withAccess(Access a) {
        return new ServerOptions(address, limits, times, a);
    }
}
