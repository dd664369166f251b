package poot.serve.web;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import poot.serve.fault.ApiFault;
import poot.serve.fault.ErrorAnswer;
import poot.serve.json.JsonText;

/** Answers requests that are refused before a route is found: malformed lines, headers, framing. */
final class Refusal implements DirectHandler {
    private static final int LONGEST = 200;

    @Override
    public TransportResponse handle(TransportRequest request, EventType event, Status status, ServerResponseHeaders headers,
            Throwable thrown) {
        return handle(request, event, status, headers, thrown.getMessage());
    }

    @Override
    public TransportResponse handle(TransportRequest request, EventType event, Status status, ServerResponseHeaders headers,
            Throwable thrown, System.Logger logger) {
        return handle(request, event, status, headers, thrown.getMessage());
    }

    @Override
    public TransportResponse handle(TransportRequest request, EventType event, Status status, ServerResponseHeaders headers,
            String message) {
        boolean ours = event == EventType.INTERNAL_ERROR;
        ApiFault fault = ours ? new ApiFault.Internal("a fault in the server") : new ApiFault.BadHttp(shown(message, status));
        int code = ours ? 500 : status.code() >= 400 && status.code() < 500 ? status.code() : status.code() == 503 ? 503 : 400;
        return TransportResponse.builder().status(Status.create(code)).headers(headers)
                .header(HeaderNames.CONTENT_TYPE, "application/json").header(RequestIds.HEADER, RequestIds.fresh())
                .keepAlive(false).entity(JsonText.bytes(ErrorAnswer.of(fault).body())).build();
    }

    private static String shown(String message, Status status) {
        String text = message == null || message.isBlank() ? status.reasonPhrase() : message;
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
