package poot.core.hub;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;

/**
 * What a file's bytes must hash to.
 *
 * @param kind how it is computed
 * @param hex  lower-case hexadecimal
 */
record Digest(Kind kind, String hex) {
    /** How the hub names content. */
    enum Kind {
        /** SHA-256 of the bytes: files in large-file storage. */
        SHA256("SHA-256", 64),
        /** SHA-1 of {@code "blob SIZE\0"} and the bytes: git's name of every other file. */
        GIT("SHA-1", 40);

        private final String algorithm;
        private final Pattern form;

        Kind(String algorithm, int digits) {
            this.algorithm = algorithm;
            this.form = Pattern.compile("[0-9a-f]{" + digits + "}");
        }
    }

    private static final int BUFFER = 1 << 18;

    Digest {
        if (!isForm(kind, hex)) {
            throw new IllegalArgumentException("not a " + kind.algorithm + ": " + HubFault.printable(hex, 80));
        }
    }

    /** True if the text can be a digest of that kind. */
    static boolean isForm(Kind kind, String hex) {
        return kind.form.matcher(hex).matches();
    }

    /** What a person knows the algorithm as. */
    String algorithm() {
        return kind == Kind.GIT ? "git SHA-1" : kind.algorithm;
    }

    /** The digest of that kind of a file; {@code read} is told of every stretch of bytes. */
    static Digest of(Kind kind, Path file, LongConsumer read) throws IOException {
        MessageDigest digest = digest(kind);
        if (kind == Kind.GIT) {
            digest.update(("blob " + Files.size(file) + "\0").getBytes(StandardCharsets.US_ASCII));
        }
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
                read.accept(n);
            }
        }
        return new Digest(kind, HexFormat.of().formatHex(digest.digest()));
    }

    /** SHA-256 of a text, in hexadecimal. */
    static String ofText(String text) {
        return HexFormat.of().formatHex(digest(Kind.SHA256).digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageDigest digest(Kind kind) {
        try {
            return MessageDigest.getInstance(kind.algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + kind.algorithm, e);
        }
    }
}
