package poot.serve.web;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.json.JsonText;
import poot.serve.json.JsonTrouble;
import tools.jackson.databind.JsonNode;

/** The body of a request: JSON by its headers, and no longer than is read. */
final class BodyBytes {
    private BodyBytes() {}

    /** Its bytes; at most {@code limit}. */
    static byte[] read(ServerRequest request, int limit) throws ApiException, IOException {
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
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        try (InputStream in = request.content().inputStream()) {
            byte[] bytes = in.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw new ApiException(new ApiFault.BodyTooLarge(limit));
            }
            return bytes;
        }
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
