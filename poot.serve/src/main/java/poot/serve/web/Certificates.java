package poot.serve.web;

import io.helidon.common.tls.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import poot.serve.config.ServerOptions;

/** Reads certificates and keys with what Java brings. */
final class Certificates {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private Certificates() {}

    /** TLS 1.2 and 1.3 with the certificate that lies there. */
    static Tls tls(ServerOptions.Tls files) throws ListenException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            switch (files) {
                case ServerOptions.Tls.Pem p -> keys.init(store(p), new char[0]);
                case ServerOptions.Tls.Pkcs12 p -> keys.init(store(p), p.password().toCharArray());
            }
            context.init(keys.getKeyManagers(), null, null);
            return Tls.builder().sslContext(context).build();
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new ListenException(files.toString(), e);
        }
    }

    private static KeyStore store(ServerOptions.Tls.Pkcs12 p) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(p.file())) {
            store.load(in, p.password().toCharArray());
        }
        return store;
    }

    private static KeyStore store(ServerOptions.Tls.Pem p) throws GeneralSecurityException, IOException {
        Collection<? extends Certificate> chain;
        try (InputStream in = Files.newInputStream(p.certificate())) {
            chain = CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
        if (chain.isEmpty()) {
            throw new GeneralSecurityException(p.certificate() + " has no certificate");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        String algorithm = chain.iterator().next().getPublicKey().getAlgorithm();
        store.setKeyEntry("server", key(p.key(), algorithm), new char[0], chain.toArray(Certificate[]::new));
        return store;
    }

    private static PrivateKey key(Path file, String algorithm) throws GeneralSecurityException, IOException {
        String text = Files.readString(file);
        int from = text.indexOf(BEGIN);
        int to = text.indexOf(END);
        if (from < 0 || to < from) {
            throw new GeneralSecurityException(file + " has no PKCS 8 key: it begins with " + BEGIN);
        }
        byte[] der = Base64.getMimeDecoder().decode(text.substring(from + BEGIN.length(), to).strip());
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
    }
}
