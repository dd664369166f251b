package poot.serve.web;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;

/** The number of a request: the client's own where it is sane, else a random one. */
final class RequestIds {
    static final HeaderName HEADER = HeaderNames.create("x-request-id");
    private static final int LONGEST = 128;

    private RequestIds() {}

    static String of(Optional<String> given) {
        return given.filter(RequestIds::sane).orElseGet(RequestIds::fresh);
    }

    static String fresh() {
        return "req-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** Letters, digits, dot, hyphen, underscore: nothing a log or a header could be led astray by. */
    private static boolean sane(String id) {
        return !id.isEmpty() && id.length() <= LONGEST && id.chars().allMatch(c ->
                c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '-' || c == '_');
    }
}
