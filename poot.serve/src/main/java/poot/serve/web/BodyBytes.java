package poot.serve.web;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderNames;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import poot.serve.config.ServerOptions;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.json.JsonText;
import poot.serve.json.JsonTrouble;
import tools.jackson.databind.JsonNode;

/** The body of a request: JSON by its headers, and no longer than is read. */
final class BodyBytes {
    /** Bytes of an unread body that are passed over to keep a connection. */
    private static final long PASSED_OVER = 64 << 10;
    /** Bytes of framing for each byte of the longest body at most; chunks of a few bytes come to as much. */
    private static final int FRAMING = 1;

    private BodyBytes() {}

    /** Refuses a body by its headers: another type, an encoding, more than {@code limit} bytes. */
    static void check(ServerRequest request, int limit) throws ApiException {
        String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("no type");
        String media = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!media.equals("application/json")) {
            throw new ApiException(new ApiFault.WrongMedia(type.length() > 100 ? type.substring(0, 100) : type));
        }
        String coding = request.headers().first(HeaderNames.CONTENT_ENCODING).orElse("identity");
        if (!coding.equalsIgnoreCase("identity")) {
            throw new ApiException(new ApiFault.WrongMedia(media + " in another encoding"));
        }
        if (request.headers().contentLength().orElse(0) > limit) {
            throw new ApiException(new ApiFault.BodyTooLarge(limit));
        }
    }

    /** Its bytes. */
    static byte[] read(ServerRequest request, ServerOptions options) throws ApiException {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        int limit = options.limits().body();
        try {
            // Not closed where reading fails: closing would read on.
            InputStream in = request.content().inputStream();
            byte[] bytes = in.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw new ApiException(new ApiFault.BodyTooLarge(limit));
            }
            return bytes;
        } catch (IOException | UncheckedIOException e) {
            throw new ApiException(new ApiFault.TooSlow(options.times().receive()), e);
        } catch (RequestException e) {
            boolean large = e.status().code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code();
            throw new ApiException(large ? new ApiFault.BodyTooLarge(limit) : new ApiFault.BadHttp("the body is badly framed"), e);
        } catch (NumberFormatException | DataReader.InsufficientDataAvailableException e) {
            throw new ApiException(new ApiFault.BadHttp("the body is cut short or badly framed"), e);
        }
    }

    /** Bytes of the connection that a body of {@code limit} bytes may take, framing included. */
    static long framed(int limit) {
        return (1L + FRAMING) * limit + PASSED_OVER;
    }

    /** Whether what is left of an unread body is too long to be passed over. */
    static boolean leaves(ServerRequest request) {
        return request.content().hasEntity() && request.headers().contentLength().orElse(Long.MAX_VALUE) > PASSED_OVER;
    }

    /** Its tree. */
    static JsonNode json(byte[] bytes) throws ApiException {
        try {
            return JsonText.read(bytes);
        } catch (JsonTrouble e) {
            throw new ApiException(new ApiFault.BadJson(e.getMessage()), e);
        }
    }
}
