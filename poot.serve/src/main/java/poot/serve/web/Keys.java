package poot.serve.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The API keys clients may send; kept as SHA-256 and compared in constant time. */
final class Keys {
    private final List<byte[]> digests = new ArrayList<>();

    Keys(List<String> keys) {
        keys.forEach(k -> digests.add(digest(k)));
    }

    /** Whether a key has to be sent. */
    boolean required() {
        return !digests.isEmpty();
    }

    /** The number of the key that a header {@code Authorization} carries; empty for none that is known. */
    Optional<Integer> find(String authorization) {
        String scheme = "Bearer ";
        if (!authorization.regionMatches(true, 0, scheme, 0, scheme.length())) {
            return Optional.empty();
        }
        byte[] given = digest(authorization.substring(scheme.length()).strip());
        int found = -1;
        for (int i = 0; i < digests.size(); i++) {
            found = MessageDigest.isEqual(given, digests.get(i)) ? i : found;
        }
        return found < 0 ? Optional.empty() : Optional.of(found);
    }

    private static byte[] digest(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
