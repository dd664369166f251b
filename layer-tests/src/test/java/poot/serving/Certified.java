package poot.serving;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Clients and files for a certificate made by a test. */
final class Certified {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private Certified() {}

    private static KeyStore read(Path file, String password) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password.toCharArray());
        }
        return store;
    }

    /** The certificate and the key of a PKCS 12 file as two PEM files. */
    static Path[] pem(Path file, String password, Path folder) throws Exception {
        KeyStore store = read(file, password);
        Path certificate = write(folder.resolve("certificate.pem"), "CERTIFICATE", store.getCertificate("a").getEncoded());
        return new Path[] {certificate, write(folder.resolve("key.pem"), "PRIVATE KEY", store.getKey("a", password.toCharArray()).getEncoded())};
    }

    private static Path write(Path to, String what, byte[] der) throws Exception {
        return Files.writeString(to, "-----BEGIN " + what + "-----\n" + LINES.encodeToString(der) + "\n-----END " + what + "-----\n");
    }

    /** What is at an address whose certificate is in the file. */
    static String get(URI address, Path file, String password) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("a", read(file, password).getCertificate("a"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
        }
    }
}
