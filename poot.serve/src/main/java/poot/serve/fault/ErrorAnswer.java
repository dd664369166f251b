package poot.serve.fault;

import java.time.Duration;
import java.util.Optional;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ObjectNode;

/**
 * A fault as it is answered: {@code {"error": {"message", "type", "param", "code"}}}.
 *
 * @param status  of HTTP
 * @param type    the error's kind, as OpenAI names kinds
 * @param code    what exactly, for programs
 * @param param   the field at fault, where there is one
 * @param message for a person
 * @param retry   when to try again, where that helps
 */
public record ErrorAnswer(int status, String type, String code, Optional<String> param, String message, Optional<Duration> retry) {
    private static final String INVALID = "invalid_request_error";
    private static final String SERVER = "server_error";

    /** The answer to a fault; the one place that decides. */
    public static ErrorAnswer of(ApiFault fault) {
        return switch (fault) {
            case ApiFault.BadJson _ -> plain(fault, 400, INVALID, "invalid_json");
            case ApiFault.BadHttp _ -> plain(fault, 400, INVALID, "invalid_http");
            case ApiFault.UnknownField f -> field(f, "unknown_parameter");
            case ApiFault.MissingField f -> field(f, "missing_required_parameter");
            case ApiFault.WrongType f -> field(f, "invalid_type");
            case ApiFault.NotAllowed f -> field(f, "invalid_value");
            case ApiFault.Unsupported f -> field(f, "unsupported_parameter");
            case ApiFault.PromptTooLong f -> field(f, "context_length_exceeded");
            case ApiFault.BadChat f -> field(f, "invalid_conversation");
            case ApiFault.NotAdmitted f -> field(f, "invalid_value");
            case ApiFault.NoModel f -> new ErrorAnswer(404, INVALID, "model_not_found", Optional.of("model"), f.message(), Optional.empty());
            case ApiFault.NoPath _ -> plain(fault, 404, INVALID, "not_found");
            case ApiFault.WrongMethod _ -> plain(fault, 405, INVALID, "method_not_allowed");
            case ApiFault.NoKey _ -> plain(fault, 401, "authentication_error", "invalid_api_key");
            case ApiFault.BodyTooLarge _ -> plain(fault, 413, INVALID, "body_too_large");
            case ApiFault.WrongMedia _ -> plain(fault, 415, INVALID, "unsupported_media_type");
            case ApiFault.TooSlow _ -> plain(fault, 408, INVALID, "request_timeout");
            case ApiFault.RateLimited f -> later(f, 429, "rate_limit_error", "rate_limit_exceeded", f.retry());
            case ApiFault.Busy f -> later(f, 429, "rate_limit_error", "queue_full", f.retry());
            case ApiFault.NotServing f -> later(f, 503, SERVER, "not_serving", Duration.ofSeconds(1));
            case ApiFault.Failed _ -> plain(fault, 500, SERVER, "generation_failed");
            case ApiFault.Internal _ -> plain(fault, 500, SERVER, "internal_error");
        };
    }

    private static ErrorAnswer plain(ApiFault f, int status, String type, String code) {
        return new ErrorAnswer(status, type, code, Optional.empty(), f.message(), Optional.empty());
    }

    private static ErrorAnswer field(ApiFault.OfRequest f, String code) {
        Optional<String> param = f.field().isEmpty() ? Optional.empty() : Optional.of(f.field());
        return new ErrorAnswer(400, INVALID, code, param, f.message(), Optional.empty());
    }

    private static ErrorAnswer later(ApiFault f, int status, String type, String code, Duration retry) {
        return new ErrorAnswer(status, type, code, Optional.empty(), f.message(), Optional.of(retry));
    }

    /** The error object. */
    public ObjectNode body() {
        ObjectNode error = JsonText.object();
        error.put("message", message);
        error.put("type", type);
        param.ifPresentOrElse(p -> error.put("param", p), () -> error.putNull("param"));
        error.put("code", code);
        ObjectNode body = JsonText.object();
        body.set("error", error);
        return body;
    }
}
