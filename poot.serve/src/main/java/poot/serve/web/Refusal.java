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
    /** The library's words for what it does not say to a client. */
    private static final String ELSEWHERE = "see server log";

    private final RefusalLog log;
    private final int limit;

    /** Answers of one port whose requests have bodies of {@code limit} bytes at most. */
    Refusal(RefusalLog log, int limit) {
        this.log = log;
        this.limit = limit;
    }

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
        // The library calls some methods and headers it cannot take apart an internal error of its own, and logs where it
        // was thrown unless the answer is another.
        boolean ours = event == EventType.INTERNAL_ERROR && (!Line.CURRENT.isBound() || Line.CURRENT.get().inRequest());
        ApiFault fault = ours ? new ApiFault.Internal("a fault in the server")
                : status.code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code() ? new ApiFault.BodyTooLarge(limit)
                : new ApiFault.BadHttp(shown(event, message, status));
        int code = ours ? 500 : status.code() >= 400 && status.code() < 500 ? status.code() : status.code() == 503 ? 503 : 400;
        String id = RequestIds.fresh();
        log.refused(id, code, Line.CURRENT.isBound() ? Line.CURRENT.get().client() : "");
        return TransportResponse.builder().status(Status.create(code)).headers(headers)
                .header(HeaderNames.CONTENT_TYPE, "application/json").header(RequestIds.HEADER, id)
                .keepAlive(false).entity(JsonText.bytes(ErrorAnswer.of(fault).body())).build();
    }

    private static String shown(EventType event, String message, Status status) {
        if (event == EventType.INTERNAL_ERROR || message != null && message.contains(ELSEWHERE)) {
            return "its first line or a header cannot be read";
        }
        String text = message == null || message.isBlank() ? status.reasonPhrase() : message;
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
